import { stopSignals } from '../../scripts/start/processes/stop-signals.ts';

/** The parts of a benchmark that its arguments name; all without arguments. @throws Error for a name that there is not */
export function chosenParts<Part>(parts: Readonly<Record<string, Part>>): [name: string, part: Part][] {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined)
    throw new Error(`There is no part ${unknown}: ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).filter(([name]) => chosen.length === 0 || chosen.includes(name));
}

/** Runs a benchmark that Ctrl-C ends at once; what it has started is stopped in any case, and then the process. */
export async function runBenchmark(
  measure: (resources: AsyncDisposableStack, signal: AbortSignal) => Promise<void>,
): Promise<never> {
  const { stop } = stopSignals();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stop.addEventListener('abort', () => reject(stop.reason));
  const resources = new AsyncDisposableStack();
  try {
    await Promise.race([measure(resources, stop), stopped]);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await resources.disposeAsync();
  }
  // What was under way when it was told to stop would keep the process.
  process.exit();
}

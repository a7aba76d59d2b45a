import { TestEnvironment } from 'jest-environment-node';

const POLL_MS = 20;
/** A connection that is being closed needs a moment for it, on a busy machine a long one. */
const CLOSED_WITHIN_MS = 30_000;

/** What keeps this worker alive by itself, its channel to jest, and what files before left open, which have failed for it. */
let known = countByType();

/**
 * Jest's environment for Node, and a rule: what a test file opens it also closes. A file after which a socket, a server, a timer
 * or a child process still keeps the worker alive fails, and names it.
 */
export default class ClosedEnvironment extends TestEnvironment {
  async handleTestEvent(event: { name: string }): Promise<void> {
    if (event.name !== 'teardown') return;
    const deadline = Date.now() + CLOSED_WITHIN_MS;
    while (leftOpen().length > 0) {
      if (Date.now() > deadline) {
        const left = describeLeft();
        known = countByType();
        throw new Error(`Left open after the tests: ${left}.`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

function countByType(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** The types of which there are more than known, each with how many more. */
function leftOpen(): [type: string, count: number][] {
  return [...countByType()]
    .map(([type, count]): [string, number] => [type, count - (known.get(type) ?? 0)])
    .filter(([, count]) => count > 0);
}

function describeLeft(): string {
  return leftOpen()
    .map(([type, count]) => `${count} ${type}`)
    .join(', ');
}

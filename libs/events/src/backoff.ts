import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 100;
/** Kafka is looked for this often at least: a try costs little, and everything waits for it. */
const LONGEST_WAIT_FOR_KAFKA_MS = 2_000;

/** How long to wait after so many failures in a row (1, 2, …): 100 ms, doubling up to the longest. */
export const backoffMs = (failures: number, longestMs: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), longestMs);

/** Tries to reach Kafka until it succeeds or the signal says stop, later and later after each failure. Never rejects. */
export async function keepTrying(
  attempt: () => Promise<void>,
  options: { signal: AbortSignal; onFailure: (error: unknown, failures: number) => void },
): Promise<void> {
  for (let failures = 1; !options.signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      options.onFailure(error, failures);
      await pause(backoffMs(failures, LONGEST_WAIT_FOR_KAFKA_MS), options.signal);
    }
  }
}

/** Waits, or less when the signal says stop. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Whether the work ended, well or not, within the time. It goes on otherwise; nobody hears of its failure then. */
export function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  const ended = () => resolve(true);
  work.then(ended, ended);
  return promise.finally(() => clearTimeout(timer));
}

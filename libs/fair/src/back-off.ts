const FIRST_MS = 100;
/** What everything waits for is tried again this often at least, where a try costs little. */
const LONGEST_MS = 2_000;

/** How long to wait after so many failures in a row (1, 2, …), in milliseconds: 100, doubling up to the longest. */
export const backOffMs = (failures: number, longestMs: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), longestMs);

/**
 * Tries until it succeeds or the signal aborts, later and later after each failure, by `backOffMs`. Never rejects.
 * @param options.longestMs between two tries; 2 s by default
 * @param options.onFailure is told of each failure, and how many there were in a row
 */
export async function keepTrying(
  attempt: () => Promise<void>,
  options: {
    signal: AbortSignal;
    longestMs?: number;
    onFailure: (error: unknown, failures: number) => void;
  },
): Promise<void> {
  const { signal, longestMs = LONGEST_MS, onFailure } = options;
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error, failures);
      await pause(backOffMs(failures, longestMs), signal);
    }
  }
}

/** Waits so many milliseconds, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}

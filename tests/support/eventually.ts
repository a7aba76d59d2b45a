import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Repeats the check until it stops throwing and answers what it answers; throws its last error after the time-out. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  { timeoutMs = 10_000 } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(POLL_MS);
  }
}

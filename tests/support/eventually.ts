import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** Ends a wait for what never comes. It is long, as nothing may fail because a machine is slow. */
const PATIENCE_MS = 150_000;

/** Repeats the check until it stops throwing and answers what it answers; throws its last error after the time-out. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  { timeoutMs = PATIENCE_MS } = {},
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

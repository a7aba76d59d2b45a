import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

const INTERVAL_MS = 100;
/** Longer than a check of health takes, also where all is slow. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Waits for /health/ready to answer 200. @throws Error saying what was still missing, or the signal's reason. */
export async function untilReady(options: {
  name: string;
  internalUrl: string;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<void> {
  const { name, internalUrl, timeoutMs, signal } = options;
  const deadline = performance.now() + timeoutMs;
  let state = 'no answer';
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    try {
      // Not fetch: it refuses ports that browsers block, and PORT_BASE may well lead to one.
      const { statusCode, body } = await request(`${internalUrl}/health/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      state = `${statusCode} ${await body.text()}`;
      if (statusCode === 200) return;
    } catch {
      signal.throwIfAborted();
      state = 'no answer';
    }
    await delay(INTERVAL_MS);
  }
  throw new Error(`${name} was not ready within ${timeoutMs / 1_000} s (${state}).`);
}

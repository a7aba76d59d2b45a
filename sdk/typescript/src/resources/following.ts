import { ApiError } from '../errors.ts';
import { wait } from '../transport/attempt.ts';
import type { RequestOptions, RetryNotice } from '../transport/call.ts';
import { backoffMs, passesBy, SPREAD_MS } from '../transport/retry.ts';

/** A request for events that failed, and will be sent again. */
export type FollowFault = RetryNotice;

export interface FollowOptions extends Omit<RequestOptions, 'maxRetries' | 'maxRetryWaitMs' | 'onRetry'> {
  /** Called before each wait. Throw to end. */
  onFault?: ((fault: FollowFault) => void) | undefined;
}

const MAX_BACKOFF_MS = 30_000;
/** However long a server asks for: it may be a mistake, and one question in a while costs it nothing. */
const MAX_WAIT_MS = 15 * 60_000;

/** Sends a request until it is answered, however long that takes. @throws what no waiting mends, and the reason of `signal` */
export async function untilAnswered<Answer>(
  request: () => PromiseLike<Answer>,
  { signal, onFault }: FollowOptions,
): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      if (!passesBy(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfterMs : null;
      const waitMs =
        asked === null
          ? backoffMs(failures, MAX_BACKOFF_MS)
          : Math.min(asked + SPREAD_MS * Math.random(), MAX_WAIT_MS);
      onFault?.({ error, failures, waitMs });
      await wait(waitMs, signal);
    }
  }
}

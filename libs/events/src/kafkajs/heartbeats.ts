const BEAT_MS = 500;

/**
 * Keeps a member in its group while a batch is worked on. kafkajs sends a heartbeat only between batches, and of ours
 * only as many as its interval asks for.
 *
 * It can go once https://github.com/tulios/kafkajs/issues/1396 is closed.
 */
export function keepBeating(heartbeat: () => Promise<void>) {
  let failure: unknown;
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failure ??= error;
      fail();
    });
  }, BEAT_MS);
  return {
    /** What ended the membership, for example a rebalance; kafkajs needs it to join again. */
    failure: () => failure,
    /** Resolves when that has happened. */
    failed,
    stop: () => clearInterval(timer),
  };
}

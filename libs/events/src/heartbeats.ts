const BEAT_MS = 500;

/**
 * Keeps a member in its group while a batch is worked on. kafkajs sends a heartbeat only between batches, and of ours
 * only as many as its interval asks for.
 */
export function keepBeating(heartbeat: () => Promise<void>) {
  let failure: unknown;
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failure ??= error;
    });
  }, BEAT_MS);
  return {
    /** What ended the membership, for example a rebalance; kafkajs must be told of it to join again. */
    failure: () => failure,
    stop: () => clearInterval(timer),
  };
}

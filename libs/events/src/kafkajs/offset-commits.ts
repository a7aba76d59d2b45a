import type { ConsumerPosition, Logger } from '@frontdesk/service';
import type { Consumer } from 'kafkajs';

/** What was applied is committed within this time: of what a killed member had applied, no more comes again. */
const INTERVAL_MS = 250;

export interface OffsetCommits {
  /** Everything of this partition up to here, without it, is applied. */
  applied(position: ConsumerPosition): void;
  /** Forgets what isn't committed yet: the partitions may belong to others now. */
  forget(): void;
  /** Commits now. */
  flush(): Promise<void>;
}

/**
 * Commits offsets now and then, for all partitions in one request: kafkajs would send one after every batch and wait for
 * its answer, and none for what is applied when a member leaves. What is applied but not committed comes again after a crash, as it
 * always may.
 *
 * It can go once https://github.com/tulios/kafkajs/issues/1014 and https://github.com/tulios/kafkajs/issues/751 are closed.
 * @param options.save keeps them in the consumer's own database too: Kafka forgets those of a group that is away for long
 */
export function createOffsetCommits(options: {
  consumer: Pick<Consumer, 'commitOffsets'>;
  save: (positions: ConsumerPosition[]) => Promise<void>;
  logger: Logger;
}): OffsetCommits {
  const { consumer, save, logger } = options;
  const waiting = new Map<string, ConsumerPosition>();
  let timer: NodeJS.Timeout | undefined;
  let committing: Promise<void> = Promise.resolve();

  const commit = async () => {
    clearTimeout(timer);
    timer = undefined;
    const offsets = [...waiting.values()];
    waiting.clear();
    if (offsets.length === 0) return;
    // A member that has lost its partitions meanwhile can't commit: their new owner reads them again.
    const outcomes = await Promise.allSettled([consumer.commitOffsets(offsets), save(offsets)]);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        logger.warn({ err: outcome.reason }, 'applied offsets were not committed');
  };
  /** One at a time, so that no older offset comes after a newer one. */
  const commitNext = () => {
    committing = committing.then(commit);
    return committing;
  };

  return {
    applied(position) {
      waiting.set(`${position.topic}:${position.partition}`, position);
      timer ??= setTimeout(() => void commitNext(), INTERVAL_MS);
    },
    forget() {
      waiting.clear();
      clearTimeout(timer);
      timer = undefined;
    },
    flush: commitNext,
  };
}

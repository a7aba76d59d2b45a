import type { Logger } from '@frontdesk/service';
import { backoffMs } from './backoff.ts';

const LONGEST_REST_MS = 5_000;

interface Partition {
  topic: string;
  partition: number;
}

/**
 * Partitions that rest after a failed try. Each is paused, later and later up to five seconds, and resumed, for ever,
 * while the others go on. A streak of failures is logged once when it begins and once when it ends.
 */
export function createPausedPartitions(logger: Logger) {
  const failures = new Map<string, number>();
  const resting = new Map<NodeJS.Timeout, () => void>();
  const keyOf = ({ topic, partition }: Partition) => `${topic}/${partition}`;

  return {
    /** @param pause kafkajs's: pauses the partition and returns what resumes it */
    failed(at: Partition, error: unknown, pause: () => () => void): void {
      const count = (failures.get(keyOf(at)) ?? 0) + 1;
      failures.set(keyOf(at), count);
      if (count === 1) logger.error({ err: error, ...at }, 'events could not be applied, trying on');
      const resume = pause();
      const timer = setTimeout(
        () => {
          resting.delete(timer);
          resume();
        },
        backoffMs(count, LONGEST_REST_MS),
      );
      resting.set(timer, resume);
    },
    succeeded(at: Partition): void {
      const count = failures.get(keyOf(at));
      if (count === undefined) return;
      failures.delete(keyOf(at));
      logger.info({ ...at, failures: count }, 'events are applied again');
    },
    /** For a new assignment: kafkajs keeps a partition paused across it, so whatever rests is resumed. */
    forget(): void {
      for (const [timer, resume] of resting) {
        clearTimeout(timer);
        resume();
      }
      resting.clear();
      failures.clear();
    },
  };
}

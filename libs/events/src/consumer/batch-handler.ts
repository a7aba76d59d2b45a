import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainEvent } from '@frontdesk/contracts';
import { backOffMs } from '@frontdesk/fair';
import type { DeadLetters, Logger } from '@frontdesk/service';
import type { EachBatchPayload, KafkaMessage, TopicPartition } from 'kafkajs';
import type { GapWatch } from '../gaps/gaps.ts';
import { keepBeating } from '../kafkajs/heartbeats.ts';
import type { OffsetCommits } from '../kafkajs/offset-commits.ts';
import { refusalBy, toDeadLetter } from './dead-letter.ts';
import { mergeCalls } from './merge-calls.ts';
import { type ConsumerMetrics, createLag } from './metrics.ts';
import { instantOf } from './read-message.ts';
import { segments } from './segments.ts';
import { type SettleSteps, settleSegment } from './settle-segment.ts';
import { tracedApply } from './traced-apply.ts';

/** At most so many events are given to `apply` at once, to keep its transaction short. */
const MAX_EVENTS = 500;
/**
 * Works through what was fetched of one partition. An offset is resolved, and soon committed, only once its events
 * are applied or its message is set aside, which is done with one that can't be read and one that can never be applied. Any
 * other failure ends the batch there; the rest is fetched again after a pause.
 */
export function createBatchHandler(options: {
  group: string;
  apply: (events: DomainEvent[]) => Promise<void>;
  deadLetters: DeadLetters;
  gaps: GapWatch;
  metrics: ConsumerMetrics;
  logger: Logger;
  /**
   * Pause after a batch. Events that arrive meanwhile share one fetch, which costs the same for one as for many. An event after a
   * quiet time does not wait.
   */
  lingerMs: number;
}) {
  const { group, deadLetters, gaps, metrics, logger, lingerMs } = options;
  // What one fetch brings of several partitions takes one transaction.
  const apply = mergeCalls(tracedApply(group, options.apply), MAX_EVENTS);
  const paused = createPausedPartitions(logger);
  const lag = createLag(metrics, group);
  const age = metrics.age.labels({ group });

  const setAside = async (message: KafkaMessage, reason: string, at: TopicPartition) => {
    await deadLetters.setAside({ ...toDeadLetter(message, reason), group, ...at });
    metrics.deadLetters.inc({ group, topic: at.topic });
    logger.error({ ...at, offset: message.offset, reason }, 'message set aside as a dead letter');
  };

  const workThrough = async (payload: EachBatchPayload, commits: OffsetCommits, mayGoOn: () => boolean) => {
    const { batch } = payload;
    const at = { topic: batch.topic, partition: batch.partition };
    await gaps.fetched(batch);
    lag.set(batch, batch.firstOffset());
    const steps: SettleSteps = {
      apply: (events) => refusalBy(() => apply(events), deadLetters),
      setAside: (message, reason) => setAside(message, reason, at),
      settled(lastOffset, events) {
        const next = BigInt(lastOffset) + 1n;
        const last = events.at(-1);
        const occurredAt = last ? instantOf(last.occurred_at) : null;
        metrics.consumed.inc({ group, topic: at.topic }, events.length);
        for (const { occurred_at } of events) age.observe(secondsSince(occurred_at));
        payload.resolveOffset(lastOffset);
        commits.applied({ ...at, offset: String(next), occurredAt });
        gaps.applied(at, next, occurredAt);
        lag.set(batch, next);
        paused.succeeded(at);
      },
      mayGoOn,
    };
    for (const segment of segments(batch.messages, MAX_EVENTS)) {
      if (!mayGoOn()) break;
      await settleSegment(segment, steps);
    }
  };

  return {
    /**
     * @param checked resolves with true once no event is missing before the assigned partitions, or the gaps are filled; with false if
     *   the partitions were assigned anew before that was known
     */
    async eachBatch(
      payload: EachBatchPayload,
      commits: OffsetCommits,
      checked: Promise<boolean>,
    ): Promise<void> {
      const { topic, partition } = payload.batch;
      const beating = keepBeating(() => payload.heartbeat());
      try {
        // A consumer that has left its group cannot commit offsets, so the check would never end: it has to join
        // again first.
        const isChecked = await Promise.race([checked, beating.failed.then(() => false)]);
        if (isChecked) await workThrough(payload, commits, () => payload.isRunning() && !beating.failure());
      } catch (error) {
        metrics.retries.inc({ group, topic });
        paused.failed({ topic, partition }, error, () => payload.pause());
      } finally {
        beating.stop();
      }
      // The next fetch begins only then: what comes in between is fetched and applied at once.
      if (lingerMs > 0) await sleep(lingerMs);
      if (!beating.failure()) return;
      // Before others are given the partitions: what is committed by then they need not read again.
      await commits.flush();
      throw beating.failure();
    },
    /** For a new assignment of partitions, or none. */
    forget(): void {
      paused.forget();
      lag.forget();
      gaps.forget();
    },
  };
}

const secondsSince = (text: string) => (Date.now() - instantOf(text).getTime()) / 1_000;

const LONGEST_REST_MS = 5_000;

/**
 * Partitions that rest after a failed try. Each is paused, later and later up to five seconds, and resumed, for ever,
 * while the others go on. A streak of failures is logged once when it begins and once when it ends.
 */
function createPausedPartitions(logger: Logger) {
  const failures = new Map<string, number>();
  const resting = new Map<NodeJS.Timeout, () => void>();
  const keyOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;

  return {
    /** @param pause kafkajs's: pauses the partition and returns what resumes it */
    failed(at: TopicPartition, error: unknown, pause: () => () => void): void {
      const count = (failures.get(keyOf(at)) ?? 0) + 1;
      failures.set(keyOf(at), count);
      if (count === 1) logger.error({ err: error, ...at }, 'events could not be applied, trying on');
      const resume = pause();
      const timer = setTimeout(
        () => {
          resting.delete(timer);
          resume();
        },
        backOffMs(count, LONGEST_REST_MS),
      );
      resting.set(timer, resume);
    },
    succeeded(at: TopicPartition): void {
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

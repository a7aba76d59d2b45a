import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainEvent } from '@frontdesk/contracts';
import type { DeadLetters, Logger } from '@frontdesk/service';
import type { EachBatchPayload } from 'kafkajs';
import { toDeadLetter } from './dead-letter.ts';
import type { GapWatch } from './gaps.ts';
import { halveRefused } from './halve-refused.ts';
import { keepBeating } from './heartbeats.ts';
import { mergeCalls } from './merge-calls.ts';
import { type ConsumerMetrics, createLag } from './metrics.ts';
import type { OffsetCommits } from './offset-commits.ts';
import { createPausedPartitions } from './paused-partitions.ts';
import { instantOf } from './read-message.ts';
import { refusalBy } from './refusal.ts';
import { type Segment, segments } from './segments.ts';
import { tracedApply } from './traced-apply.ts';

/** At most so many events are given to `apply` at once, to keep its transaction short. */
const MAX_EVENTS = 500;
/**
 * Pause after a batch. Events that arrive meanwhile share one fetch, which costs the same for one as for many. An event after a quiet
 * time does not wait.
 */
const GATHER_MS = 20;

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
}) {
  const { group, deadLetters, gaps, metrics, logger } = options;
  // What one fetch brings of several partitions takes one transaction.
  const apply = mergeCalls(tracedApply(group, options.apply), MAX_EVENTS);
  const paused = createPausedPartitions(logger);
  const lag = createLag(metrics, group);
  const age = metrics.age.labels({ group });

  /** @returns what is to be settled in its place, where it was refused for good */
  const settle = async (
    segment: Segment,
    { topic, partition }: { topic: string; partition: number },
  ): Promise<Segment[] | null> => {
    if (segment.kind === 'events') {
      const events = segment.events.map(({ event }) => event);
      const refusal = events.length > 0 ? await refusalBy(() => apply(events), deadLetters) : null;
      if (refusal !== null) return halveRefused(segment, refusal);
      metrics.consumed.inc({ group, topic }, events.length);
      for (const { occurred_at } of events) age.observe(secondsSince(occurred_at));
      return null;
    }
    const { message, reason } = segment;
    await deadLetters.setAside({ ...toDeadLetter(message, reason), group, topic, partition });
    metrics.deadLetters.inc({ group, topic });
    logger.error({ topic, partition, offset: message.offset, reason }, 'message set aside as a dead letter');
    return null;
  };

  const workThrough = async (payload: EachBatchPayload, commits: OffsetCommits, mayGoOn: () => boolean) => {
    const { batch } = payload;
    const at = { topic: batch.topic, partition: batch.partition };
    await gaps.fetched(batch);
    lag.set(batch, batch.firstOffset());
    const advancePast = (segment: Segment) => {
      const next = BigInt(segment.lastOffset) + 1n;
      const occurredAt = lastOccurredAt(segment);
      payload.resolveOffset(segment.lastOffset);
      commits.applied({ ...at, offset: String(next), occurredAt });
      gaps.applied(at, next, occurredAt);
      lag.set(batch, next);
      paused.succeeded(at);
    };
    const settleAll = async (ofBatch: Iterable<Segment>) => {
      for (const segment of ofBatch) {
        if (!mayGoOn()) break;
        const parts = await settle(segment, at);
        if (parts) await settleAll(parts);
        else advancePast(segment);
      }
    };
    await settleAll(segments(batch.messages, MAX_EVENTS));
  };

  return {
    /**
     * @param checked whether nothing is missing before what the member was assigned, or that was made good for; false where it
     *   was assigned something else before that was known
     */
    async eachBatch(
      payload: EachBatchPayload,
      commits: OffsetCommits,
      checked: Promise<boolean>,
    ): Promise<void> {
      const { topic, partition } = payload.batch;
      const beating = keepBeating(() => payload.heartbeat());
      try {
        // Who is no member any more can't commit what the check is about, and has to join again first.
        const isChecked = await Promise.race([checked, beating.failed.then(() => false)]);
        if (isChecked) await workThrough(payload, commits, () => payload.isRunning() && !beating.failure());
      } catch (error) {
        metrics.retries.inc({ group, topic });
        paused.failed({ topic, partition }, error, () => payload.pause());
      } finally {
        beating.stop();
      }
      // The next fetch begins only then: what comes in between is fetched and applied at once.
      await sleep(GATHER_MS);
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

/** Null where none of its messages could be read as an event of a known type. */
function lastOccurredAt(segment: Segment): Date | null {
  const last = segment.kind === 'events' ? segment.events.at(-1) : undefined;
  return last ? instantOf(last.event.occurred_at) : null;
}

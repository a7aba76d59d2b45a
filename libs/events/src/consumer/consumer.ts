import type { DomainEvent, Topic } from '@frontdesk/contracts';
import { endsWithin, keepTrying, pause } from '@frontdesk/fair';
import type { Component, ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { createGapWatch } from '../gaps/gaps.ts';
import { closedWarning, kafkaAccessError } from '../kafka/kafka-access-error.ts';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { createBatchHandler } from './batch-handler.ts';
import { refusalBy, typeOf } from './dead-letter.ts';
import { joinGroup, type Membership } from './membership.ts';
import { consumerMetrics, countFromZero } from './metrics.ts';
import { readMessage } from './read-message.ts';

/** What every broker allows by default. */
const SAFE_SESSION_TIMEOUT_MS = 6_000;
const REJOIN_DELAY_MS = 500;

/** What all consumers of a service share. */
export interface ConsumerDeps extends ServiceContext {
  kafka: KafkaClient;
  /** Where messages are kept that can't be taken in. */
  deadLetters: DeadLetters;
  /** Where it is kept how far each group is, and which events it has missed. */
  progress: ConsumerProgress;
}

export interface ConsumerOptions extends ConsumerDeps {
  /** Every consumer has a group of its own: kafkajs needs all members of a group to name the same topics. */
  group: string;
  topics: readonly Topic[];
  /**
   * Gets what is new of some partitions, each in order. Where that fails, each partition's events come again on their own, side by
   * side. Committed is only what it has resolved for, so anything may come again: it must tolerate duplicates and older versions.
   * When it throws, the partition is paused and the same events come again, for ever; unless the database will never take one of
   * them, or it says what can't be (`ImpossibleRecordError`): that one is found and set aside.
   */
  apply: (events: DomainEvent[]) => Promise<void>;
  /**
   * Makes good for events that are gone: Kafka has deleted them before they were applied. It is called, until it succeeds,
   * before anything that came after them is applied; also where a new group begins after the first event. Without it they are lost
   * to this consumer. Either way the gap is recorded.
   */
  onGap?: () => Promise<void>;
}

export type EventConsumer = Component &
  Required<Pick<Component, 'start' | 'stop' | 'ready'>> & {
    readonly group: string;
    /** Takes a message in that was set aside. @returns why it can't be taken in, still; null once it is applied */
    applyDeadLetter(value: Buffer | null): Promise<string | null>;
  };

/**
 * A member of a consumer group that reads its topics from the beginning and never gives up: it starts without Kafka,
 * joins when Kafka comes, and joins again after whatever ends its membership. Messages that can't be taken in are set
 * aside as dead letters; types that this release doesn't know are skipped.
 */
export function createConsumer(options: ConsumerOptions): EventConsumer {
  const { kafka, group, topics, apply, onGap, deadLetters, progress } = options;
  const logger = options.logger.child({ group });
  const metrics = consumerMetrics(options.metrics);
  countFromZero(metrics, group, topics.map(kafka.nameOf));
  const gaps = createGapWatch({ kafka, group, close: onGap, progress, metrics, logger });
  const handler = createBatchHandler({
    group,
    apply,
    deadLetters,
    gaps,
    metrics,
    logger,
    lingerMs: kafka.lingerMs,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {}); // for those that don't wait for it
  const purpose = `to read ${topics.join(', ')} as group ${group}`;
  const warnIfClosed = closedWarning(logger);
  let { sessionTimeoutMs } = kafka.bounds;
  let hasJoined = false;
  let isMember = false;
  options.metrics.watchConnection('kafka', `group ${group}`, () => isMember);
  let running: Promise<void> = Promise.resolve();

  const join = async (): Promise<Membership | undefined> => {
    let membership: Membership | undefined;
    const attempt = async () => {
      membership = await joinGroup({
        kafka,
        group,
        topics,
        sessionTimeoutMs,
        logger,
        eachBatch: handler.eachBatch,
        checkGaps: gaps.check,
        savePositions: (positions) => progress.save(group, positions),
        onAssigned: () => handler.forget(),
      });
    };
    await keepTrying(attempt, {
      signal,
      onFailure(error, failures) {
        const refusal = hasJoined ? null : kafkaAccessError(error, purpose);
        if (refusal) refuse(refusal);
        if (failures === 1) logger.warn({ err: error }, 'cannot join the consumer group, trying on');
        if (!hasJoined) warnIfClosed(error);
        if (isSessionTooShort(error)) sessionTimeoutMs = SAFE_SESSION_TIMEOUT_MS;
      },
    });
    return membership;
  };

  const stayMember = async () => {
    while (!signal.aborted) {
      const membership = await join();
      if (!membership) return;
      logger.info('joined the consumer group');
      hasJoined = true;
      isMember = true;
      try {
        await Promise.race([membership.crashed, stopped]);
      } catch (error) {
        logger.warn({ err: error }, 'no longer in the consumer group, joining again');
      }
      isMember = false;
      await membership.leave().catch((error) => logger.warn({ err: error }, 'could not leave cleanly'));
      handler.forget();
      await pause(REJOIN_DELAY_MS, signal);
    }
  };

  return {
    name: `consumer ${group}`,
    group,
    refused,
    async start() {
      running = stayMember();
    },
    async stop() {
      stopping.abort();
      if (!(await endsWithin(kafka.bounds.consumerStopTimeoutMs, running))) {
        logger.warn(
          'stopped without leaving the consumer group: a batch or the check of gaps is still under way',
        );
      }
    },
    // Once it has joined, a lost Kafka makes no service unready: its requests can still be served.
    ready: () => (hasJoined ? null : 'kafka'),
    async applyDeadLetter(value) {
      const reading = readMessage(value);
      // Of a release before or after this one, to which it means something: it must not go as if it had been applied.
      if (reading === 'skipped') return value && `type ${typeOf(value) ?? '?'} is unknown to this release`;
      if ('unreadable' in reading) return reading.unreadable;
      return refusalBy(() => apply([reading.event]), deadLetters);
    },
  };
}

const isSessionTooShort = (error: unknown) =>
  error instanceof Error && 'type' in error && error.type === 'INVALID_SESSION_TIMEOUT';

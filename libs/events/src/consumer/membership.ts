import { keepTrying } from '@frontdesk/fair';
import type { ConsumerPosition, Logger } from '@frontdesk/service';
import type { EachBatchPayload, TopicPartitionOffset } from 'kafkajs';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { createOffsetCommits, type OffsetCommits } from '../kafkajs/offset-commits.ts';
import type { Assignment } from './partition-offsets.ts';

/** How long the group waits for a member that is still applying a batch. */
const REBALANCE_TIMEOUT_MS = 10_000;
/** A member learns of a rebalance from a heartbeat's answer, so heartbeats stay frequent even in a long session. */
const HEARTBEAT_MS = 1_000;
/** A fetch waits so long for news, and a partition that is resumed waits so long for the fetch. */
const FETCH_WAIT_MS = 500;
/** New partitions are noticed within this time. */
const METADATA_MAX_AGE_MS = 60_000;
/** All of one fetch, so that it becomes one call of `apply`. */
const CONCURRENT_PARTITIONS = 24;

export interface Membership {
  /** Rejects with what ended it. */
  crashed: Promise<never>;
  /** Waits for the batches at work, commits what is resolved and leaves the group. */
  leave(): Promise<void>;
}

/**
 * Joins a group and begins to read, from the beginning where the group has no offset yet.
 * @param onAssigned called at the first and at every later assignment of partitions
 * @throws when it can't join: no Kafka, no such topic, a session time-out that the broker doesn't allow
 */
export async function joinGroup(options: {
  kafka: KafkaClient;
  group: string;
  topics: readonly string[];
  sessionTimeoutMs: number;
  eachBatch: (payload: EachBatchPayload, commits: OffsetCommits, checked: Promise<boolean>) => Promise<void>;
  /** Looks for events that are missing before what is assigned. Resolves with the places up to which none is any more. */
  checkGaps: (assignment: Assignment) => Promise<TopicPartitionOffset[]>;
  /** Keeps what was applied beside what is committed. */
  savePositions: (positions: ConsumerPosition[]) => Promise<void>;
  logger: Logger;
  onAssigned: () => void;
}): Promise<Membership> {
  const { kafka, group, topics, sessionTimeoutMs, eachBatch, checkGaps, onAssigned, logger } = options;
  const consumer = kafka.consumer({
    groupId: kafka.nameOf(group),
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.min(HEARTBEAT_MS, Math.floor(sessionTimeoutMs / 3)),
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    metadataMaxAge: METADATA_MAX_AGE_MS,
  });
  const { promise: crashed, reject: crash } = Promise.withResolvers<never>();
  crashed.catch(() => {});
  let hasJoined = false;
  let isLeaving = false;
  const working = new Set<Promise<void>>();
  const atWork = (batch: Promise<void>) => {
    const work = batch.finally(() => working.delete(work));
    working.add(work);
    return work;
  };
  /** kafkajs would say so only once it stops, and then takes no commits any more. */
  const untilLeaving = (payload: EachBatchPayload): EachBatchPayload => ({
    ...payload,
    isRunning: () => !isLeaving && payload.isRunning(),
  });
  const commits = createOffsetCommits({ consumer, save: options.savePositions, logger });
  let checked = Promise.resolve(true);
  let checking = new AbortController();
  const check = (assignment: Assignment) => {
    checking.abort();
    checking = new AbortController();
    const { signal } = checking;
    const attempt = async () => {
      const closed = await checkGaps(assignment);
      if (closed.length > 0) await consumer.commitOffsets(closed);
    };
    checked = keepTrying(attempt, {
      signal,
      onFailure(error, failures) {
        if (failures === 1) logger.error({ err: error }, 'cannot see whether events are missing, trying on');
      },
    }).then(() => !signal.aborted);
  };
  consumer.on(consumer.events.CRASH, ({ payload }) => crash(payload.error));
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    hasJoined = true;
    commits.forget();
    onAssigned();
    // A member that is leaving reads nothing more, and nothing would abort this check.
    if (!isLeaving) check(payload.memberAssignment);
  });
  const leave = async () => {
    isLeaving = true;
    checking.abort();
    await Promise.allSettled(working);
    await commits.flush();
    await consumer.disconnect();
    // The check of gaps has its own connection to Kafka.
    await checked;
  };
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topics.map(kafka.nameOf), fromBeginning: true });
    await consumer.run({
      eachBatch: (payload) => atWork(eachBatch(untilLeaving(payload), commits, checked)),
      eachBatchAutoResolve: false,
      autoCommit: false,
      partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
    });
    // A failed join doesn't reject: kafkajs calls it a crash.
    if (!hasJoined) await crashed;
  } catch (error) {
    commits.forget();
    await leave();
    throw error;
  }
  return { crashed, leave };
}

import { TOPIC_RETENTION_DAYS } from '../limits/retention.ts';

const RETENTION_MS = TOPIC_RETENTION_DAYS * 86_400_000;

/**
 * One Kafka topic for each kind of aggregate. Records are keyed `<tenant_id>:<aggregate_id>`, so one record's events
 * stay in order within a partition. `retentionMs` of null means compacted: the last state of every key is kept for ever.
 */
export const TOPICS = {
  tenants: { partitions: 3, retentionMs: null },
  customers: { partitions: 6, retentionMs: RETENTION_MS },
  appointments: { partitions: 6, retentionMs: RETENTION_MS },
  calls: { partitions: 6, retentionMs: RETENTION_MS },
  endpoints: { partitions: 3, retentionMs: RETENTION_MS },
} as const;

export type Topic = keyof typeof TOPICS;

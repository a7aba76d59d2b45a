import type { DeadLetters, Metrics } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';
import { refusal } from './refusal.ts';

// A producer may say anything of when it sent a message: brought within what both PostgreSQL and a Date hold, 4713 BC to 275760.
const FIRST_MS = -210_866_803_200_000;
const LAST_MS = 8_640_000_000_000_000;

const insert = systemSql<
  never,
  {
    tenantId: number | null;
    consumer: string;
    topic: string;
    partition: number;
    offset: string;
    sentAtMs: number;
    key: Buffer | null;
    value: Buffer | null;
    type: string | null;
    reason: string;
  }
>(
  'dead_letters_insert',
  `insert into dead_letters (tenant_id, consumer, topic, "partition", "offset", sent_at, key, value, type, reason)
   values ($tenantId, $consumer, $topic, $partition, $offset,
     to_timestamp(greatest(least($sentAtMs::float8, ${LAST_MS}), ${FIRST_MS}) / 1000), $key, $value, $type, $reason)
   on conflict on constraint dead_letters_once do nothing`,
);

const count = systemSql<{ count: number }>(
  'dead_letters_count',
  'select count(*) as count from dead_letters',
);

/** The dead letters of a service's consumers, in its own database. */
export function createDeadLetters({
  database,
  metrics,
}: {
  database: Database;
  metrics: Metrics;
}): DeadLetters {
  const { system } = database;
  const help = 'Messages that consumers could not take in, waiting for an operator.';
  metrics.watch({ name: 'dead_letters_waiting', help }, async () => (await system.one(count)).count);
  return {
    async setAside({ tenantId, group, topic, partition, offset, timestamp, key, value, type, reason }) {
      const place = { tenantId, consumer: group, topic, partition, offset, sentAtMs: Number(timestamp) };
      await system.run(insert, { ...place, key, value, type, reason });
    },
    refusal,
  };
}

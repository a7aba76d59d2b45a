import type { DeadLetters, Metrics } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { type DatabaseError, databaseError } from '../pool/connection.ts';
import { systemSql } from '../scope/statements.ts';

/** The commonest, in PostgreSQL's own words, without the value that its message quotes. */
const MEANINGS: Record<string, string> = {
  '21000': 'two of one row',
  '22003': 'number out of range',
  '22007': 'no date or time',
  '22008': 'date or time out of range',
  '22009': 'time zone offset out of range',
  '22021': 'no character of its encoding',
  '22P02': 'no value of its type',
  '22P05': 'no character of its encoding',
  '23502': 'a value is missing',
  '23514': 'a value is not allowed',
  '54000': 'beyond a limit',
};
/** Where the server runs out of numbers of its own, which has the code of values that are too large, and passes. */
const SERVERS_LIMITS = ['multixact.c', 'varsup.c', 'md.c'];

/**
 * Whether the database would refuse these values at any time, whatever else is stored. A missing or a conflicting row
 * (23503, 23505, 23P01) may disappear, so it does not count. Nor does a missing partition, which is a 23514 without a
 * constraint's name.
 */
function isAboutValues({ code = '', constraint, file = '' }: DatabaseError): boolean {
  if (code === '23514') return constraint !== undefined;
  if (code === '54000') return !SERVERS_LIMITS.includes(file);
  // 2200H: a sequence has come to its end.
  return /^(21000|22...|23502)$/.test(code) && code !== '2200H';
}

/** Why the database will never take what it was given, without quoting it; null for any other error. */
function refusal(error: unknown): string | null {
  const found = databaseError(error);
  if (!found || !isAboutValues(found)) return null;
  const { code = '', table, column, constraint } = found;
  const place = constraint ?? [table, column].filter(Boolean).join('.');
  const meaning = MEANINGS[code] ?? 'a value that does not fit';
  return `the database refuses it: ${meaning} (SQLSTATE ${code}${place && `, ${place}`})`;
}

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

import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';

const LOOK_INTERVAL_MS = 10 * 60_000;
const MEASURE_MS = 10_000;
const LARGEST = 10;
/** Most pages (8 KiB each) that are read. Of larger databases they are a sample. */
const PAGES = 32_768;

// Stored before the measurement begins, so that one process does it, and one that fails is not repeated before the next day.
const begin = systemSql<{ is_begun: true }>(
  'stored_bytes_begin',
  `insert into stored_bytes_measurement as last (begun_at) values (now())
   on conflict (is_last) do update set begun_at = now() where last.begun_at < now() - interval '1 day'
   returning true as is_begun`,
);

const bounded = systemSql<never, [milliseconds: string]>(
  'stored_bytes_bound',
  `select set_config('statement_timeout', $1, true)`,
);

// Reads every table with a tenant_id; each partition is a table. pg_column_size takes the size of a value that is stored out of
// line from its row, so that nothing large is read.
const measure = systemSql<never>(
  'stored_bytes_measure',
  `do $$
   declare percent float8; parts text;
   begin
     create temporary table measured on commit drop as
       select c.oid, pg_relation_size(c.oid) / current_setting('block_size')::bigint as pages
       from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace;
     select least(100, 100.0 * ${PAGES} / greatest(sum(pages), 1)) into percent from measured;
     select string_agg(format(
         'select tenant_id, sum(%s) as bytes from %s tablesample system (%s) where tenant_id is not null group by tenant_id',
         (select string_agg(format('coalesce(pg_column_size(%I), 0)', attname), ' + ')
          from pg_attribute where attrelid = measured.oid and attnum > 0 and not attisdropped),
         oid::regclass, percent), ' union all ')
       into parts from measured;
     delete from stored_bytes;
     execute format(
       'insert into stored_bytes (tenant_id, bytes)
        select tenant_id, (sum(bytes) * 100 / %s)::bigint from (%s) as parts group by tenant_id order by 2 desc limit ${LARGEST}',
       percent, parts);
   end $$`,
);

const findLargest = systemSql<{ tenant: string; bytes: number }>(
  'stored_bytes_find',
  'select tenant_id::text as tenant, bytes from stored_bytes order by bytes desc',
);

/** The worker that measures daily how many bytes each tenant has in this database, and the metric of the ten largest. */
export function createStoredBytes(options: {
  database: Database;
  metrics: Metrics;
  logger: Logger;
  /** Ends the measurement. */
  measureMs?: number;
}): Loop {
  const { database, metrics, logger, measureMs = MEASURE_MS } = options;
  const { system } = database;
  const help = `Bytes that each of the ${LARGEST} largest tenants has in this service's database, measured daily.`;
  metrics.watch({ name: 'stored_bytes', help, labelNames: ['tenant'] }, async () =>
    (await system.many(findLargest)).map(({ tenant, bytes }) => ({ labels: { tenant }, value: bytes })),
  );
  return loop({
    name: 'stored bytes',
    intervalMs: LOOK_INTERVAL_MS,
    logger,
    run: async () => {
      if (!(await system.maybeOne(begin))) return;
      await system.transaction(async (tx) => {
        await tx.run(bounded, String(measureMs));
        await tx.run(measure);
      });
    },
  });
}

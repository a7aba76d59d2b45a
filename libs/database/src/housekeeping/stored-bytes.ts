import { STORED_BYTES_PAGE, type StoredBytes, type StoredBytesPage } from '@frontdesk/contracts';
import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import type { Database } from '../database.ts';
import type { SystemScope } from '../scope/scopes.ts';
import { systemSql } from '../scope/statements.ts';

const LOOK_INTERVAL_MS = 10 * 60_000;
const MEASURE_MS = 10_000;
const LARGEST = 10;
/** Whoever has less in a database is far from any quota, unless among the ten largest. */
const KEPT_FROM_BYTES = 100_000_000;
/** Most pages (8 KiB each) that are read. Of larger databases they are a sample. */
const PAGES = 32_768;

// The start is stored before measuring, so that one process measures, and a failed measurement is not repeated on the
// same day. Until the first measurement of this release it is repeated after an hour: the release before kept only
// ten tenants.
const begin = systemSql<{ is_begun: true }>(
  'stored_bytes_begin',
  `insert into stored_bytes_measurement as last (begun_at) values (now())
   on conflict (is_last) do update set begun_at = now()
   where last.begun_at < now() - case when last.kept_from is null then interval '1 hour' else interval '1 day' end
   returning true as is_begun`,
);

const bounded = systemSql<never, { milliseconds: string }>(
  'stored_bytes_bound',
  `select set_config('statement_timeout', $milliseconds, true)`,
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
        select tenant_id, bytes from (
          select tenant_id, bytes, row_number() over (order by bytes desc) as place from (
            select tenant_id, (sum(bytes) * 100 / %s)::bigint as bytes from (%s) as parts group by tenant_id) as sums) as places
        where place <= ${LARGEST} or bytes >= ${KEPT_FROM_BYTES}',
       percent, parts);
     update stored_bytes_measurement set kept_from = ${KEPT_FROM_BYTES};
   end $$`,
);

const findLargest = systemSql<{ tenant: string; bytes: number }>(
  'stored_bytes_find',
  `select tenant_id::text as tenant, bytes from stored_bytes order by bytes desc limit ${LARGEST}`,
);

const findMeasured = systemSql<{ is_measured: boolean }>(
  'stored_bytes_is_measured',
  'select exists (select from stored_bytes_measurement where kept_from is not null) as is_measured',
);

const findAfter = systemSql<StoredBytes, { afterTenant: number; limit: number }>(
  'stored_bytes_page',
  'select tenant_id, bytes from stored_bytes where tenant_id > $afterTenant order by tenant_id limit $limit',
);

/** The large tenants of this database by id, from the first after the given one, as they were last measured. */
export async function listStoredBytes(system: SystemScope, afterTenant: number): Promise<StoredBytesPage> {
  const [{ is_measured }, tenants] = await Promise.all([
    system.one(findMeasured),
    system.many(findAfter, { afterTenant, limit: STORED_BYTES_PAGE }),
  ]);
  return { is_measured, tenants };
}

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
        await tx.run(bounded, { milliseconds: String(measureMs) });
        await tx.run(measure);
      });
    },
  });
}

import type { Topic } from '@frontdesk/contracts';
import type pg from 'pg';

export interface OutboxRow {
  id: number;
  tenant_id: number;
  topic: Topic;
  aggregate_id: number;
  envelope: string;
  /** Of the transaction that wrote it, where that is traced. */
  traceparent: string | null;
}

type FoundRow = Omit<OutboxRow, 'envelope'> & { envelope: string | null };

const BATCH_ROWS = 500;
/** A batch is cut here, so that a run of large events stays within one request to the broker. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;
// As they are stored: what is larger than some 2 kB is compressed, to a hundredth at the most.
const SMALL_BYTES = 2_048;
const BATCH_STORED_BYTES = 1024 * 1024;

const MARK = 'update outbox set published_at = now() where id = any($1::bigint[])';
// Excludes the ids that the same statement marks: the select still sees them as unpublished.
const markAndFind = (envelope: string) => `
  with marked as (${MARK})
  select id, tenant_id, topic, aggregate_id, traceparent, case when ${envelope} then envelope::text end as envelope
  from outbox where published_at is null and parked_at is null and id <> all($1::bigint[])`;

// Never a high-water mark: a transaction that commits late has a smaller id than rows published before it.
const SMALL_ONES = {
  name: 'outbox_batch',
  text: `${markAndFind(`pg_column_size(envelope) <= ${SMALL_BYTES}`)} order by id limit ${BATCH_ROWS}`,
};
// A sum costs a tenth more where there is one row to read, as there mostly is: it is made where large ones wait alone.
const BY_SIZE = {
  name: 'outbox_batch_by_size',
  text: `${markAndFind(`coalesce(sum(pg_column_size(envelope)) over before, 0) < ${BATCH_STORED_BYTES}`)}
         window before as (order by id rows between unbounded preceding and 1 preceding)
         order by id limit ${BATCH_ROWS}`,
};

/**
 * Marks these as published and reads what waits the longest, in order, and whether more does. However much waits and however
 * large it is, what is read is bounded.
 */
export async function readBatch(
  client: pg.Client,
  published: readonly number[],
): Promise<{ batch: OutboxRow[]; hasMore: boolean }> {
  let { rows } = await client.query<FoundRow>({ ...SMALL_ONES, values: [published] });
  // The first question has marked them.
  if (!rows.every(isRead)) ({ rows } = await client.query<FoundRow>({ ...BY_SIZE, values: [[]] }));
  const batch = cutBatch(rows);
  return { batch, hasMore: batch.length < rows.length || rows.length === BATCH_ROWS };
}

const isRead = (row: FoundRow): row is OutboxRow => row.envelope !== null;

/** For the end, when nothing more is read. */
export async function markPublished(
  client: pg.Client,
  published: readonly number[],
  timeoutMs: number,
): Promise<void> {
  if (published.length === 0) return;
  const bound = { query_timeout: timeoutMs };
  await client.query({ name: 'outbox_published', text: MARK, values: [published], ...bound });
}

function cutBatch(rows: FoundRow[]): OutboxRow[] {
  const batch: OutboxRow[] = [];
  let characters = 0;
  for (const row of rows) {
    if (!isRead(row)) break;
    characters += row.envelope.length;
    if (batch.length > 0 && characters > BATCH_CHARACTERS) break;
    batch.push(row);
  }
  return batch;
}

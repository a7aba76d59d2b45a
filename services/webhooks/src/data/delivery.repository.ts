import type { deliverySchema, deliverySummary, ListDeliveriesQuery } from '@frontdesk/contracts';
import { type Database, defineList, type TenantReads, tenantSql } from '@frontdesk/database';
import type { z } from 'zod';
import type { AttemptRecord } from '../domain/attempt.ts';
import { firstIdOfDay, lastIdOfDay } from '../domain/delivery-id.ts';

interface SummaryRow {
  id: number;
  endpoint_id: number;
  event: string;
  status: Delivery['status'];
  http_status: number | null;
  duration_ms: number | null;
  attempt_count: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
}

interface DeliveryRow extends SummaryRow {
  body: string;
  response_body: string | null;
}

export type Delivery = z.output<typeof deliverySchema>;
type DeliverySummary = z.output<typeof deliverySummary>;

const SUMMARY = `d.id, d.endpoint_id, d.name as event, d.status, d.http_status, d.duration_ms, d.attempt_count, d.next_attempt_at,
  d.delivered_at, d.created_at`;
const COLUMNS = `${SUMMARY}, d.response_body, v.body`;

/** With the bodies of these deliveries alone: a page reads none of those that it passes over. */
const withBodies = (deliveries: string) => `
  select ${COLUMNS}, d.cursor_value
  from (${deliveries}) d
  join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  order by d.created_at desc, d.id desc`;

type Filter = 'id' | 'eventId' | 'endpoint' | 'event' | 'status' | 'failed' | 'from' | 'to';

// An id begins with its day: the days of a window are a range of ids, hence some of the partitions.
const LOG = {
  from: 'deliveries d',
  filters: {
    id: 'id = ?',
    // By the index of each alone: the tenant's own, which is the list's, would look as good on a day that has just begun.
    eventId: `id = any(array(
      select one.id from events v cross join lateral (select id from deliveries where event_row = v.id offset 0) one
      where v.event_id = ?::uuid))`,
    endpoint: 'endpoint_id = ?',
    event: 'name = ?',
    status: 'status = ?',
    // As its index has it.
    failed: 'is_failed and status = ?',
    from: 'id >= ? and created_at >= ?::timestamptz',
    to: 'id <= ? and created_at < ?::timestamptz',
  },
  // When their events came in: a replay makes deliveries of earlier events, with later ids.
  sorts: { created_at: { column: 'created_at' } },
  defaultSort: '-created_at',
} as const;

const readPage = defineList<DeliveryRow, Filter, 'created_at'>({
  ...LOG,
  name: 'deliveries',
  columns: '*',
  complete: withBodies,
});

const readSummaries = defineList<SummaryRow, Filter, 'created_at'>({
  ...LOG,
  name: 'delivery_summaries',
  columns: SUMMARY,
});

const filtersOf = ({ id, event_id, endpoint_id, event, status, from, to }: ListDeliveriesQuery) =>
  [
    ['id', id],
    ['eventId', event_id],
    ['endpoint', endpoint_id],
    ['event', event],
    [status === 'failed' ? 'failed' : 'status', status],
    ['from', from && firstIdOfDay(from), from?.toISOString()],
    ['to', to && lastIdOfDay(to), to?.toISOString()],
  ] as const;

const findSql = (columns: string) => `
  select ${columns} from deliveries d join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  where d.tenant_id = $1 and d.id = $2`;

const findRow = tenantSql<DeliveryRow, [id: number]>('deliveries_find', findSql(COLUMNS));
const findRowWithAttempts = tenantSql<DeliveryRow & { attempts: string[] }, [id: number]>(
  'deliveries_find_with_attempts',
  findSql(`${COLUMNS}, d.attempts`),
);

/** One delivery without its attempts, which may be long. */
export async function findDelivery(db: TenantReads, id: number): Promise<Delivery | null> {
  const row = await db.maybeOne(findRow, id);
  return row && toRecord(row);
}

interface Page<Row> {
  rows: Row[];
  total: number;
  next_cursor?: string;
}

export interface DeliveryRepository {
  /** The delivery log, by when events came in, newest first, deleted endpoints included. */
  page(tenantId: number, query: ListDeliveriesQuery): Promise<Page<Delivery>>;
  /** The same without payloads and answers, which are not even read. */
  summaries(tenantId: number, query: ListDeliveriesQuery): Promise<Page<DeliverySummary>>;
  /** One delivery with its attempts: numbered through, also where it was sent again. */
  find(tenantId: number, id: number): Promise<(Delivery & { attempts: AttemptRecord[] }) | null>;
}

export function createDeliveryRepository(database: Database): DeliveryRepository {
  return {
    async page(tenantId, query) {
      const { rows, ...meta } = await readPage(database, tenantId, query, filtersOf(query));
      return { rows: rows.map(toRecord), ...meta };
    },
    async summaries(tenantId, query) {
      const { rows, ...meta } = await readSummaries(database, tenantId, query, filtersOf(query));
      return { rows: rows.map(toSummary), ...meta };
    },
    async find(tenantId, id) {
      const row = await database.forTenant(tenantId).maybeOne(findRowWithAttempts, id);
      if (row === null) return null;
      const attempts = row.attempts.map((text) => JSON.parse(text) as AttemptRecord);
      return { ...toRecord(row), attempts: attempts.map((made, index) => ({ ...made, attempt: index + 1 })) };
    },
  };
}

const toRecord = (row: DeliveryRow): Delivery => ({
  ...toSummary(row),
  payload: JSON.parse(row.body) as Delivery['payload'],
  response_body: row.response_body,
});

function toSummary(row: SummaryRow): DeliverySummary {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event: row.event,
    status: row.status,
    http_status: row.http_status,
    duration_ms: row.duration_ms,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

import type { deliverySchema, ListDeliveriesQuery } from '@frontdesk/contracts';
import { type Database, defineList, tenantSql } from '@frontdesk/database';
import type { z } from 'zod';
import type { AttemptRecord } from '../domain/attempt.ts';
import { firstIdOfDay, lastIdOfDay } from '../domain/delivery-id.ts';
import type { TenantReads } from './tenant-reads.ts';

interface DeliveryRow {
  id: number;
  endpoint_id: number;
  event: string;
  body: string;
  status: Delivery['status'];
  http_status: number | null;
  response_body: string | null;
  attempt_count: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
}

export type Delivery = z.output<typeof deliverySchema>;

const COLUMNS = `d.id, d.endpoint_id, d.name as event, v.body, d.status, d.http_status, d.response_body, d.attempt_count,
  d.next_attempt_at, d.delivered_at, d.created_at`;

/** With the bodies of these deliveries alone: a page reads none of those that it passes over. */
const withBodies = (deliveries: string) => `
  select ${COLUMNS}, d.cursor_value
  from (${deliveries}) d
  join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  order by d.id desc`;

type Filter = 'endpoint' | 'event' | 'status' | 'failed' | 'from' | 'to';

// An id begins with its day: the days of a window are a range of ids, hence some of the partitions.
const readPage = defineList<DeliveryRow, Filter, 'id'>({
  name: 'deliveries',
  from: 'deliveries',
  columns: '*',
  complete: withBodies,
  filters: {
    endpoint: 'endpoint_id = ?',
    event: 'name = ?',
    status: 'status = ?',
    // As its index has it.
    failed: 'is_failed and status = ?',
    from: 'id >= ? and created_at >= ?::timestamptz',
    to: 'id <= ? and created_at < ?::timestamptz',
  },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

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

export interface DeliveryRepository {
  /** The delivery log, newest first, deleted endpoints included. */
  page(
    tenantId: number,
    query: ListDeliveriesQuery,
  ): Promise<{ rows: Delivery[]; total: number; next_cursor?: string }>;
  /** One delivery with its attempts: numbered through, also where it was sent again. */
  find(tenantId: number, id: number): Promise<(Delivery & { attempts: AttemptRecord[] }) | null>;
}

export function createDeliveryRepository(database: Database): DeliveryRepository {
  return {
    async page(tenantId, query) {
      const { rows, ...meta } = await readPage(database, tenantId, query, [
        ['endpoint', query.endpoint_id],
        ['event', query.event],
        [query.status === 'failed' ? 'failed' : 'status', query.status],
        ['from', query.from && firstIdOfDay(query.from), query.from?.toISOString()],
        ['to', query.to && lastIdOfDay(query.to), query.to?.toISOString()],
      ]);
      return { rows: rows.map(toRecord), ...meta };
    },
    async find(tenantId, id) {
      const row = await database.forTenant(tenantId).maybeOne(findRowWithAttempts, id);
      if (row === null) return null;
      const attempts = row.attempts.map((text) => JSON.parse(text) as AttemptRecord);
      return { ...toRecord(row), attempts: attempts.map((made, index) => ({ ...made, attempt: index + 1 })) };
    },
  };
}

function toRecord(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event: row.event,
    payload: JSON.parse(row.body) as Delivery['payload'],
    status: row.status,
    http_status: row.http_status,
    response_body: row.response_body,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

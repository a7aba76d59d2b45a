import type { ListDeliveriesQuery } from '@frontdesk/contracts';
import { type Database, defineList, type TenantReads, tenantSql } from '@frontdesk/database';
import { firstIdOfDay, lastIdOfDay } from '../queue/delivery-id.rules.ts';
import type { DeliveryDetailRow, DeliveryRow, DeliverySummaryRow } from './delivery.rules.ts';

const SUMMARY = `d.id, d.endpoint_id, d.name, d.status, d.http_status, d.duration_ms, d.attempt_count, d.next_attempt_at,
  d.delivered_at, d.created_at, d.event_row, (select last_value from event_ids) as last_number`;
const COLUMNS = `${SUMMARY}, d.response_body, v.body, (
    select 'calls:transcripts' = any(e.scopes) from endpoints e where e.tenant_id = d.tenant_id and e.id = d.endpoint_id
  ) as shows_transcripts`;

/** With the bodies of these deliveries alone: a page reads none of those that it passes over. */
const withBodies = (deliveries: string) => `
  select ${COLUMNS}, d.cursor_value
  from (${deliveries}) d
  join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  order by d.created_at desc, d.id desc`;

type Filter = 'id' | 'eventId' | 'endpoint' | 'event' | 'shown' | 'status' | 'failed' | 'from' | 'to';

// An id begins with its day: the days of a window are a range of ids, hence some of the partitions.
const LOG = {
  from: 'deliveries d',
  filters: {
    id: 'id = $id',
    // By the index of each alone: the tenant's own, which is the list's, would look as good on a day that has just begun.
    eventId: `id = any(array(
      select one.id from (select tenant_id, id from events where event_id = $eventId::uuid offset 0) v
      cross join lateral (select tenant_id, id from deliveries where event_row = v.id offset 0) one
      where v.tenant_id = $tenantId and one.tenant_id = $tenantId))`,
    endpoint: 'endpoint_id = $endpointId',
    event: 'name = $name',
    shown: 'name = any($names)',
    status: 'status = $status',
    // As its index has it.
    failed: 'is_failed and status = $status',
    from: 'id >= $fromId and created_at >= $from::timestamptz',
    to: 'id <= $toId and created_at < $to::timestamptz',
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

const readSummaries = defineList<DeliverySummaryRow, Filter, 'created_at'>({
  ...LOG,
  name: 'delivery_summaries',
  cursorsOf: 'deliveries',
  columns: SUMMARY,
});

const filtersOf = (
  { id, event_id, endpoint_id, event, status, from, to }: ListDeliveriesQuery,
  names: readonly string[] | undefined,
) =>
  [
    ['id', { id }],
    ['eventId', { eventId: event_id }],
    ['endpoint', { endpointId: endpoint_id }],
    ['event', { name: event }],
    ['shown', { names }],
    [status === 'failed' ? 'failed' : 'status', { status }],
    ['from', { fromId: from && firstIdOfDay(from), from: from?.toISOString() }],
    ['to', { toId: to && lastIdOfDay(to), to: to?.toISOString() }],
  ] as const;

const findSql = (columns: string) => `
  select ${columns} from deliveries d join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  where d.tenant_id = $tenantId and d.id = $id`;

const find = tenantSql<DeliveryRow, { id: number }>('deliveries_find', findSql(COLUMNS));
const findWithAttempts = tenantSql<DeliveryDetailRow, { id: number }>(
  'deliveries_find_with_attempts',
  findSql(`${COLUMNS}, d.attempts`),
);

/** The delivery log, by when events came in, newest first, deleted endpoints included. */
export const listDeliveries = (
  database: Database,
  tenantId: number,
  query: ListDeliveriesQuery,
  /** Of events of these names alone. */
  names?: readonly string[],
) => readPage(database, tenantId, query, filtersOf(query, names));

/** The same without payloads and answers, which are not even read. */
export const listDeliverySummaries = (
  database: Database,
  tenantId: number,
  query: ListDeliveriesQuery,
  names?: readonly string[],
) => readSummaries(database, tenantId, query, filtersOf(query, names));

/** One delivery without its attempts, which may be long. */
export const findDelivery = (db: TenantReads, id: number) => db.maybeOne(find, { id });

export const findDeliveryWithAttempts = (db: TenantReads, id: number) =>
  db.maybeOne(findWithAttempts, { id });

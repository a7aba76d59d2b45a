import { systemSql } from '@frontdesk/database';

interface ReceivedRow {
  /** Nothing was written: an active endpoint of the checked tenants is new or has another version. */
  is_stale: boolean;
  /** Number of those that were written. */
  deliveries: number;
}

interface ReceivedArgs {
  tenantIds: number[];
  eventIds: string[];
  names: string[];
  sequences: number[];
  occurredAts: string[];
  bodies: string[];
  deliveryTenantIds: number[];
  endpointIds: number[];
  eventPositions: number[];
  deliveryNames: string[];
  traceparents: (string | null)[];
  checkedTenantIds: number[];
  knownEndpointIds: number[];
  knownVersions: number[];
}

/**
 * Writes events that are new and their deliveries, in the order they came in. One statement: all or nothing.
 *
 * - Nothing is written where an active endpoint is new or has another version: the deliveries were planned without it.
 * - Active endpoints stay locked until the deliveries are there, so that a change sees all pending ones.
 * - Deliveries name their event by its position, so that nothing has to be joined.
 */
export const receive = systemSql<ReceivedRow, ReceivedArgs>(
  'events_receive',
  `with given as materialized (
     select * from unnest(
       $tenantIds::bigint[], $eventIds::uuid[], $names::text[], $sequences::bigint[], $occurredAts::timestamptz[], $bodies::text[]
     ) with ordinality as t (tenant_id, event_id, name, sequence, occurred_at, body, position)
   ), checked as materialized (
     select exists (
       select from endpoints e
       where e.tenant_id = any($checkedTenantIds::bigint[]) and e.is_active and e.deleted_at is null
         and (e.id, e.version) not in (select * from unnest($knownEndpointIds::bigint[], $knownVersions::integer[]))
     ) as is_stale
   ), received as (
     insert into received_events (tenant_id, event_id)
     select tenant_id, event_id from given, checked where not is_stale order by tenant_id, event_id
     on conflict do nothing
     returning tenant_id, event_id
   ), known as materialized (
     select given.*, (tenant_id, event_id) in (select tenant_id, event_id from received) as is_new,
       day_id(nextval('event_ids')) as id
     from given
   ), stored as (
     insert into events (tenant_id, id, event_id, name, sequence, occurred_at, body)
     select tenant_id, id, event_id, name, sequence, occurred_at, body from known where is_new
   ), by_position as materialized (
     select array_agg(id order by position) as ids, array_agg(is_new order by position) as are_new from known
   ), active as materialized (
     select id from endpoints
     where id = any($endpointIds::bigint[]) and is_active and deleted_at is null
     order by id for share
   ), planned as materialized (
     select p.*, day_id(nextval('delivery_ids')) as id
     from (
       select p.tenant_id, p.endpoint_id, p.name, p.traceparent, b.ids[p.event_position] as event_row
       from unnest(
         $deliveryTenantIds::bigint[], $endpointIds::bigint[], $eventPositions::integer[], $deliveryNames::text[],
         $traceparents::text[]
       ) with ordinality as p (tenant_id, endpoint_id, event_position, name, traceparent, position), by_position b
       where b.are_new[p.event_position] and p.endpoint_id = any(array(select id from active))
       order by p.position
     ) p
   ), logged as (
     insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
     select tenant_id, id, endpoint_id, event_row, name from planned
   ), queued as (
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, name, traceparent)
     select id, tenant_id, endpoint_id, event_row, name, traceparent from planned
   )
   select (select is_stale from checked), (select count(*) from planned) as deliveries`,
);

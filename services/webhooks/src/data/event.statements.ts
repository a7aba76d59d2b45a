import { systemSql } from '@frontdesk/database';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';

/** An endpoint as it was while the deliveries to it were written: that is what they are sent with. */
export type HeldEndpoint = [
  ...[id: number, url: string, secret: string, previousSecret: string | null],
  ...[version: number, consecutiveFailures: number],
];

interface ReceivedRow {
  /** Nothing was written: an active endpoint of the checked tenants is new or has another version. */
  is_stale: boolean;
  /** Of the deliveries that were written; null where there is none. */
  ids: number[] | null;
  /** The position of each among the given events, from 1. */
  positions: number[] | null;
  /** Which of them are leased. */
  are_leased: boolean[] | null;
  endpoints: HeldEndpoint[] | null;
  due_at_ms: number;
}

interface ReceivedArgs {
  tenantIds: number[];
  eventIds: string[];
  names: string[];
  isCanonical: boolean[];
  sequences: number[];
  occurredAts: string[];
  bodies: string[];
  deliveryTenantIds: number[];
  endpointIds: number[];
  bodyPositions: number[];
  deliveryNames: string[];
  traceparents: (string | null)[];
  arePreLeased: boolean[];
  token: string;
  owner: number | null;
  leaseMs: number;
  checkedTenantIds: number[];
  knownEndpointIds: number[];
  knownVersions: number[];
}

/**
 * Writes bodies and deliveries of events that are new, in the order they came in. One statement: all or nothing.
 *
 * - Nothing is written where an active endpoint is new or has another version: the deliveries were planned without it.
 * - Active endpoints stay locked until the deliveries are there, so that a change sees all pending ones, and nothing goes to an old URL.
 * - Nothing is leased for an open breaker or a suspended tenant. A lease counts from the writing, which may have waited for locks.
 * - Deliveries name their body by its position, so that nothing has to be joined; all that comes back is one row.
 */
export const receive = systemSql<ReceivedRow, ReceivedArgs>(
  'events_receive',
  `with given as materialized (
     select * from unnest(
       $tenantIds::bigint[], $eventIds::uuid[], $names::text[], $isCanonical::boolean[], $sequences::bigint[],
       $occurredAts::timestamptz[], $bodies::text[]
     ) with ordinality as t (tenant_id, event_id, name, is_canonical, sequence, occurred_at, body, position)
   ), checked as materialized (
     select exists (
       select from endpoints e
       where e.tenant_id = any($checkedTenantIds::bigint[]) and e.is_active and e.deleted_at is null
         and (e.id, e.version) not in (select * from unnest($knownEndpointIds::bigint[], $knownVersions::integer[]))
     ) as is_stale
   ), received as (
     insert into received_events (tenant_id, event_id)
     select tenant_id, event_id from given, checked where is_canonical and not is_stale order by tenant_id, event_id
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
     select id, url, secret, case when previous_secret_until > now() then previous_secret end as previous_secret, version,
       consecutive_failures, is_suspended
     from endpoints
     where id = any($endpointIds::bigint[]) and is_active and deleted_at is null
     order by id for share
   ), planned as materialized (
     select p.*, day_id(nextval('delivery_ids')) as id
     from (
       select p.tenant_id, p.endpoint_id, p.name, p.traceparent, p.position, b.ids[p.body_position] as event_row,
         p.is_leased and not p.endpoint_id = any(array(
           select id from active where consecutive_failures >= ${FAILURES_TO_OPEN} or is_suspended)) as is_leased
       from unnest(
         $deliveryTenantIds::bigint[], $endpointIds::bigint[], $bodyPositions::integer[], $deliveryNames::text[], $arePreLeased::boolean[],
         $traceparents::text[]
       ) with ordinality as p (tenant_id, endpoint_id, body_position, name, is_leased, traceparent, position), by_position b
       where b.are_new[p.body_position] and p.endpoint_id = any(array(select id from active))
       order by p.position
     ) p
   ), logged as (
     insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
     select tenant_id, id, endpoint_id, event_row, name from planned
   ), queued as (
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, traceparent, lease_token, lease_owner, leased_until)
     select id, tenant_id, endpoint_id, event_row, traceparent,
       case when is_leased then $token::uuid end, case when is_leased then $owner::integer end,
       case when is_leased then clock_timestamp() + $leaseMs::integer * interval '1 millisecond' end
     from planned
   )
   select (select is_stale from checked), array_to_json(array_agg(id)) as ids, array_to_json(array_agg(position)) as positions,
     array_to_json(array_agg(is_leased)) as are_leased,
     (select json_agg(json_build_array(id, url, secret, previous_secret, version, consecutive_failures)) from active) as endpoints,
     extract(epoch from now())::float8 * 1000 as due_at_ms
   from planned`,
);

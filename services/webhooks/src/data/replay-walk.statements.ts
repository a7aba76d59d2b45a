import { systemSql, tenantSql } from '@frontdesk/database';
import { OVER_AFTER_SECONDS } from '../domain/missed-events.ts';
import type { ReplayRow } from '../domain/replay.ts';
import type { KnownDelivery, SeenEvent } from '../domain/replay-plan.ts';

/** Rows that one transaction looks at, at most. */
export const BATCH_ROWS = 500;

/**
 * Whatever was under way when the replay began is over, so that no event appears behind the walk: what had written by then, and
 * what had only begun to read. After `OVER_AFTER_SECONDS` nobody else's transaction holds a replay up.
 */
export const findDue = systemSql<{ tenant_id: number; id: number }>(
  'replays_due',
  `select tenant_id, id from replays
   where status = 'running' and next_at <= now()
     and (begun_in < pg_snapshot_xmin(pg_current_snapshot()) and not exists (
         select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
           and age(backend_xmin) >= age(begun_in::xid))
       or created_at < now() - interval '${OVER_AFTER_SECONDS} seconds')
   order by next_at limit 1 for update skip locked`,
);

export interface HeldReplay
  extends Pick<ReplayRow, 'id' | 'endpoint_id' | 'kind' | 'include_delivered' | 'position' | 'last_id'> {
  window_from: Date;
  window_to: Date;
  /** Of its endpoint. */
  events: string[];
  is_active: boolean;
  is_suspended: boolean;
  is_over: boolean;
  /** The endpoint's deliveries in the queue, in flight or not, as far as they were counted. */
  in_queue: number;
}

// Those in flight and the others each have an index of their own.
export const hold = tenantSql<HeldReplay, [id: number, countUpTo: number]>(
  'replays_hold',
  `select r.id, r.endpoint_id, r.kind, r.window_from, r.window_to, r.include_delivered, r.position, r.last_id, e.events,
     e.is_active, e.is_suspended, e.deleted_at is not null or e.disabled_reason is not null as is_over, (
       select count(*) from (
         (select 1 from delivery_queue q where q.endpoint_id = r.endpoint_id and q.lease_token is null limit $3::integer)
         union all
         (select 1 from delivery_queue q where q.endpoint_id = r.endpoint_id and q.lease_token is not null limit $3::integer)
       ) counted
     ) as in_queue
   from replays r join endpoints e on e.tenant_id = r.tenant_id and e.id = r.endpoint_id
   where r.tenant_id = $1 and r.id = $2 and r.status = 'running' and r.next_at <= now()
   for update of r skip locked for share of e`,
);

export const seeEvents = tenantSql<SeenEvent, [after: number, upTo: number]>(
  'replays_see_events',
  `select id, event_id, name, received_at from events
   where tenant_id = $1 and id > $2 and id <= $3 order by id limit ${BATCH_ROWS}`,
);

export const seeFailed = tenantSql<
  { id: number },
  [endpointId: number, after: number, upTo: number, limit: number]
>(
  'replays_see_failed',
  `select id from deliveries
   where tenant_id = $1 and endpoint_id = $2 and is_failed and id > $3 and id <= $4 order by id limit $5`,
);

/** Bodies under other names of these events. Each event is looked up by its id alone, of which no plan takes anything but the index. */
const aliasesOf = (eventIds: string, firstId: string, lastId: string) => `
  unnest(${eventIds}::uuid[]) as given (event_id) cross join lateral (
    select tenant_id, id, event_id, name from events
    where event_id = given.event_id and id between ${firstId} and ${lastId} offset 0
  ) alias
  where alias.tenant_id = $1 and alias.name in ('appointment.booked', 'call.completed', 'missed_call')`;

// Under whichever name the event went out. The limit makes it a look into the index for each.
export const findKnown = tenantSql<
  KnownDelivery,
  [endpointId: number, eventRows: number[], eventIds: string[], firstId: number, lastId: number]
>(
  'replays_known',
  `with bodies as (
     select id, event_id from events where tenant_id = $1 and id = any($3::bigint[]) and id between $5 and $6
     union
     select alias.id, alias.event_id from ${aliasesOf('$4', '$5', '$6')}
   )
   select b.event_id, d.id, d.status
   from bodies b cross join lateral (
     select d.id, d.status from deliveries d
     where d.endpoint_id = $2 and d.event_row = b.id and d.id between $5 and $6 limit 1
   ) d`,
);

interface StoredBody {
  id: number;
  event_id: string;
  name: string;
  body: string;
}

export const findBodies = tenantSql<
  StoredBody,
  [eventRows: number[], eventIds: string[], firstId: number, lastId: number]
>(
  'replays_bodies',
  `select id, event_id, name, body from events
   where tenant_id = $1 and id = any($2::bigint[]) and id between $4 and $5
   union all
   select alias.id, alias.event_id, alias.name, '' from ${aliasesOf('$3', '$4', '$5')}`,
);

interface QueueArgs {
  endpointId: number;
  canonicalRows: number[];
  names: string[];
  rows: (number | null)[];
  bodies: (string | null)[];
  firstId: number;
  lastId: number;
}

// In the place that they would have had: of the event's day and instant.
export const queueMissing = tenantSql<never, QueueArgs>(
  'replays_queue_missing',
  `with planned as (
     select p.*, v.event_id, v.sequence, v.occurred_at, v.received_at
     from unnest($canonicalRows::bigint[], $names::text[], $rows::bigint[], $bodies::text[]) as p (canonical_row, name, event_row, body)
     join events v on v.tenant_id = $1 and v.id = p.canonical_row and v.id between $firstId and $lastId
   ), made as (
     insert into events (tenant_id, id, event_id, name, sequence, occurred_at, received_at, body)
     select $1::bigint, day_id(nextval('event_ids'), received_at), event_id, name, sequence, occurred_at, received_at, body
     from planned where event_row is null
     returning id, name, received_at
   ), logged as (
     insert into deliveries (tenant_id, id, endpoint_id, event_row, name, created_at)
     select $1::bigint, day_id(nextval('delivery_ids'), received_at), $endpointId::bigint, id, name, received_at from (
       select event_row as id, name, received_at from planned where event_row is not null
       union all select id, name, received_at from made
       order by id
     ) sent
     returning id, event_row
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
   select id, $1::bigint, $endpointId::bigint, event_row from logged`,
);

export interface Progress extends Pick<ReplayRow, 'status' | 'position' | 'queued' | 'skipped'> {
  /** Until its next batch. */
  delayMs: number;
}

export const progress = tenantSql<never, Progress & { id: number }>(
  'replays_progress',
  `update replays set status = $status, position = $position, queued = queued + $queued, skipped = skipped + $skipped,
     next_at = now() + $delayMs::integer * interval '1 millisecond',
     finished_at = case when $status <> 'running' then now() end
   where tenant_id = $1 and id = $id`,
);

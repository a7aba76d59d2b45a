import { type EndpointScope, EVENT_ALIASES } from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { OVER_AFTER_SECONDS } from '../endpoints/missed-events.rules.ts';
import { MAX_IN_QUEUE } from '../queue/lease.rules.ts';
import type { ReplayRow } from './replay.rules.ts';
import type { KnownDelivery, SeenEvent } from './replay-plan.rules.ts';

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

/**
 * How many deliveries the endpoint `e` has in the queue, in flight or not, as far as they count; parked ones are not among them. Those in
 * flight and the others each have an index of their own.
 */
const IN_QUEUE = `(
  select count(*) from (
    (select from delivery_queue q
     where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is null and q.due_at < 'infinity' limit ${MAX_IN_QUEUE})
    union all
    (select from delivery_queue q
     where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is not null limit ${MAX_IN_QUEUE})
  ) counted
) as in_queue`;

export interface HeldReplay
  extends Pick<ReplayRow, 'id' | 'endpoint_id' | 'kind' | 'include_delivered' | 'position' | 'last_id'> {
  window_from: Date;
  window_to: Date;
  /** Of its endpoint. */
  events: string[];
  scopes: EndpointScope[];
  is_over: boolean;
  may_queue: boolean;
  in_queue: number;
}

// What waited while the tenant was suspended goes out first.
export const hold = tenantSql<HeldReplay, { id: number }>(
  'replays_hold',
  `select r.id, r.endpoint_id, r.kind, r.window_from, r.window_to, r.include_delivered, r.position, r.last_id, e.events, e.scopes,
     e.deleted_at is not null or e.disabled_reason is not null as is_over,
     e.is_active and not e.is_suspended and e.release_at is null as may_queue, ${IN_QUEUE}
   from replays r join endpoints e on e.tenant_id = r.tenant_id and e.id = r.endpoint_id
   where r.tenant_id = $tenantId and r.id = $id and r.status = 'running' and r.next_at <= now()
   for update of r skip locked for share of e`,
);

export const seeEvents = tenantSql<SeenEvent, { after: number; upTo: number }>(
  'replays_see_events',
  `select id, event_id, name, received_at from events
   where tenant_id = $tenantId and id > $after and id <= $upTo order by id limit ${BATCH_ROWS}`,
);

export const seeFailed = tenantSql<
  { id: number },
  { endpointId: number; after: number; upTo: number; limit: number }
>(
  'replays_see_failed',
  `select id from deliveries
   where tenant_id = $tenantId and endpoint_id = $endpointId and is_failed and id > $after and id <= $upTo order by id limit $limit`,
);

/**
 * What processes of 0.1.0 have stored of these events under their other names. Each event is looked up by its id alone, of which no plan
 * takes anything but the index.
 */
const ALIASES = `
  unnest($eventIds::uuid[]) as given (event_id) cross join lateral (
    select tenant_id, id, event_id, name from events
    where event_id = given.event_id and id between $firstId and $lastId offset 0
  ) alias
  where alias.tenant_id = $tenantId and alias.name in (${EVENT_ALIASES.map((name) => `'${name}'`).join(', ')})`;

// Under whichever name the event went out. The limit makes it a look into the index for each.
export const findKnown = tenantSql<
  KnownDelivery,
  { endpointId: number; eventRows: number[]; eventIds: string[]; firstId: number; lastId: number }
>(
  'replays_known',
  `with rows_of as (
     select id, event_id from events where tenant_id = $tenantId and id = any($eventRows::bigint[]) and id between $firstId and $lastId
     union
     select alias.id, alias.event_id from ${ALIASES}
   )
   select b.event_id, d.id, d.status
   from rows_of b cross join lateral (
     select d.id, d.status from deliveries d
     where d.endpoint_id = $endpointId and d.event_row = b.id and d.id between $firstId and $lastId limit 1
   ) d`,
);

interface QueueArgs {
  endpointId: number;
  eventRows: number[];
  names: string[];
  firstId: number;
  lastId: number;
}

// In the place that they would have had: of the event's day and instant.
export const queueMissing = tenantSql<never, QueueArgs>(
  'replays_queue_missing',
  `with logged as (
     insert into deliveries (tenant_id, id, endpoint_id, event_row, name, created_at)
     select $tenantId::bigint, day_id(nextval('delivery_ids'), received_at), $endpointId::bigint, id, name, received_at from (
       select v.id, p.name, v.received_at
       from unnest($eventRows::bigint[], $names::text[]) as p (event_row, name)
       join events v on v.tenant_id = $tenantId and v.id = p.event_row and v.id between $firstId and $lastId
       order by v.id
     ) sent
     returning id, event_row, name
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, name)
   select id, $tenantId::bigint, $endpointId::bigint, event_row, name from logged`,
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
   where tenant_id = $tenantId and id = $id`,
);

/** Endpoints whose tenant was suspended and is resumed, as long as any of their deliveries is parked. */
export const findReleasing = systemSql<{ tenant_id: number; id: number }>(
  'endpoints_find_releasing',
  `select tenant_id, id from endpoints
   where release_at <= now() and is_active and not is_suspended and deleted_at is null
   order by release_at limit 1 for update skip locked`,
);

export const holdReleasing = tenantSql<{ in_queue: number }, { id: number }>(
  'endpoints_hold_releasing',
  `select ${IN_QUEUE} from endpoints e
   where e.tenant_id = $tenantId and e.id = $id and e.release_at <= now() and e.is_active and not e.is_suspended
     and e.deleted_at is null
   for update of e skip locked`,
);

// Ids give the order of events; `due_at` does not: a retry that is due later belongs to an older event.
export const releaseParked = tenantSql<never, { endpointId: number; limit: number }>(
  'deliveries_release_parked',
  `update delivery_queue set due_at = now()
   where tenant_id = $tenantId and delivery_id = any(array(
     select delivery_id from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is null and due_at = 'infinity'
     order by delivery_id limit $limit for update))`,
);

export const setReleaseAt = tenantSql<never, { id: number; delayMs: number | null }>(
  'endpoints_set_next_release',
  `update endpoints set release_at = now() + $delayMs::integer * interval '1 millisecond' where tenant_id = $tenantId and id = $id`,
);

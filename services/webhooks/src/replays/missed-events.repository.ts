import { type TenantReads, tenantSql } from '@frontdesk/database';
import { firstIdOfDay, lastIdOfDay } from '../queue/delivery-id.rules.ts';

/** The most events to look at: an open page asks every second. */
const LOOKED_AT = 5_000;

interface CountArgs {
  endpointId: number;
  from: Date;
  to: Date;
  names: string[];
  firstId: number;
  lastId: number;
  limit: number | null;
}

// A delivery that a process of 0.1.0 made under another name belongs to a row of that name, of the event's own day. Each is looked
// up by what is unique to it: with the tenant beside it, all that the tenant has of a day that has just begun looks as good.
const countMissed = tenantSql<{ missed: number; is_partial: boolean | null }, CountArgs>(
  'events_count_missed',
  `with latest as materialized (
     select id, event_id, name, received_at from events
     where tenant_id = $tenantId and id >= $firstId and id <= $lastId order by id desc limit $limit
   ), came as materialized (
     select event_id, name from latest where received_at >= $from and received_at < $to
   )
   select (select count(*) = $limit and min(received_at) >= $from from latest) as is_partial, (
     select count(*) from came left join lateral (
       select true as is_known from events v cross join lateral (
         select from deliveries d
         where d.event_row = v.id and d.endpoint_id = $endpointId and d.id between $firstId and $lastId limit 1
       ) delivery
       where v.event_id = came.event_id and v.id between $firstId and $lastId limit 1
     ) known on true
     where name = any($names::text[]) and is_known is null
   ) as missed`,
);

export interface MissedQuery {
  endpointId: number;
  from: Date;
  to: Date;
  /** Of events, their own. */
  names: string[];
}

/** Events of this time that the endpoint has no delivery of. `isPartial`: only the newest `LOOKED_AT` events were looked at. */
export async function countMissedEvents(
  db: TenantReads,
  { endpointId, from, to, names }: MissedQuery,
  { isWhole }: { isWhole: boolean },
): Promise<{ count: number; isPartial: boolean }> {
  const limit = isWhole ? null : LOOKED_AT;
  const ids = { firstId: firstIdOfDay(from), lastId: lastIdOfDay(to) };
  const { missed, is_partial } = await db.one(countMissed, { endpointId, from, to, names, ...ids, limit });
  return { count: missed, isPartial: is_partial ?? false };
}

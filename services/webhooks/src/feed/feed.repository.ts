import { CANONICAL_EVENTS, type CanonicalWebhookEvent } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import { IDS_A_DAY } from '../queue/delivery-id.rules.ts';
import { type FeedPage, type FeedPosition, idsBetween, MAX_LOOKED_AT, MAX_PAGE_BYTES } from './feed.rules.ts';

interface PageArgs {
  laps: number[];
  froms: number[];
  tos: number[];
  names: readonly string[];
  /** Ids that are read of each range. */
  mosts: number[];
  limit: number;
  lookedAt: number;
}

interface PageRow {
  /** This and the body are null where none of those looked at has one of the names. */
  id: number | null;
  body: string | null;
  has_more: boolean;
  /** The last one looked at, where there are others behind it. */
  cut_at: number | null;
}

// Of each day as many ids as its bound allows: where one has more, nothing behind those is known, and the answer goes no further. The index
// says which ids these are; then names are read of them, and bodies of those with the right name. Each is looked up by its key: a join
// might read whole days of all tenants.
const findPage = tenantSql<PageRow, PageArgs>(
  'feed_find_page',
  `with looked as materialized (
     select f.id, row_number() over (order by r.lap, f.id % ${IDS_A_DAY}) as place,
       row_number() over (partition by r.nth order by f.id) > r.most as is_beyond
     from unnest($laps::integer[], $froms::bigint[], $tos::bigint[], $mosts::integer[]) with ordinality
       as r (lap, from_id, to_id, most, nth)
     cross join lateral (
       select id from events
       where tenant_id = $tenantId and id > r.from_id and id <= r.to_id
       order by id limit r.most + 1
     ) f
   ), bound as (
     select least(min(place) filter (where is_beyond) - 1, $lookedAt::integer) as place from looked
   ), cut as (
     select max(id) filter (where looked.place = bound.place) as cut_at
     from bound left join looked on exists (select from looked where place > bound.place)
   ), found as materialized (
     select looked.id, row_number() over (order by looked.place) as nth
     from looked cross join lateral (
       select name from events where tenant_id = $tenantId and id = looked.id limit 1
     ) e
     where looked.place <= (select place from bound) and e.name = any($names::text[])
     order by nth limit $limit::integer + 1
   ), weighed as (
     select found.nth, found.id, e.body,
       sum(octet_length(e.body)) over (order by found.nth) as bytes_so_far
     from found cross join lateral (
       select body from events where tenant_id = $tenantId and id = found.id limit 1
     ) e
   )
   select id, body, coalesce(nth < (select count(*) from found), false) as has_more, cut_at
   from cut left join weighed
     on nth <= $limit::integer and (nth = 1 or bytes_so_far <= ${MAX_PAGE_BYTES})
   order by nth`,
);

const findFirst = tenantSql<{ id: number }, { fromId: number }>(
  'feed_find_first',
  'select id from events where tenant_id = $tenantId and id >= $fromId order by id limit 1',
);

const readNumber = systemSql<{ number: number }>(
  'feed_read_number',
  'select case when is_called then last_value else 0 end as number from event_ids',
);

// Finds the oldest transaction that may still write an event. A snapshot's upper bound does not show running
// transactions, so we draw a transaction number of our own, after the feed's highest number was read: every
// transaction that had begun to write by then has a lower one. It is drawn before the others are read, which the
// query forces by using it. Transactions of other databases count too, but write no events. pg_stat_activity shows
// only the low 32 bits of a number.
const readTransactions = systemSql<OpenTransactions>(
  'feed_read_transactions',
  `with own as materialized (select pg_current_xact_id()::text::bigint as number)
   select number as own, floor(extract(epoch from clock_timestamp()) / 86400)::bigint as day,
     number - coalesce((
       select max((number - xid::text::bigint) & 4294967295)
       from (
         select backend_xid as xid from pg_stat_activity where datname = current_database()
         union all
         select transaction from pg_prepared_xacts where database = current_database()
       ) as others
       where xid is not null and ((number - xid::text::bigint) & 4294967295) < 2147483648
     ), 0) as oldest
   from own`,
);

const findNews = systemSql<FeedNews, { tenantIds: number[]; afterIds: number[] }>(
  'feed_find_news',
  `select w.nth - 1 as nth, e.id as first_id
   from unnest($tenantIds::bigint[], $afterIds::bigint[]) with ordinality as w (tenant_id, after_id, nth)
   cross join lateral (
     select id from events where tenant_id = w.tenant_id and id > w.after_id order by id limit 1
   ) e`,
);

interface FeedNews {
  /** Whose it is: from 0. */
  nth: number;
  /** The first event that has come in behind the place. */
  first_id: number;
}

interface OpenTransactions {
  /** Lower ones are over. */
  oldest: number;
  /** That of the look itself: whatever had begun to write before it is lower. */
  own: number;
  day: number;
}

/** The highest number that an event has been given, whether or not its transaction is over. */
export const lastEventNumber = async (system: SystemScope): Promise<number> =>
  (await system.one(readNumber)).number;

export const openTransactions = (system: SystemScope): Promise<OpenTransactions> =>
  system.one(readTransactions);

/**
 * A tenant's events between two places, in the order in which they came in: those of these names or, with null, all. Processes of 0.1.0
 * stored an event under a second name as well, which the feed doesn't show.
 */
export async function findFeedPage(
  db: TenantReads,
  places: { after: FeedPosition; upTo: FeedPosition },
  { names, limit }: { names: readonly CanonicalWebhookEvent[] | null; limit: number },
): Promise<FeedPage> {
  const ranges = idsBetween(places.after, places.upTo);
  const lookedAt = names === null ? 2 * limit : MAX_LOOKED_AT;
  // Days further on have few events that come before all of these; a later request begins there.
  const nextDays = (places.after.day + 3) * IDS_A_DAY;
  const found = await db.many(findPage, {
    laps: ranges.map(({ lap }) => lap),
    froms: ranges.map(({ from }) => from),
    tos: ranges.map(({ to }) => to),
    names: names ?? CANONICAL_EVENTS,
    mosts: ranges.map(({ to }) => (to < nextDays ? lookedAt : 2 * limit)),
    limit,
    lookedAt,
  });
  const rows = found.flatMap(({ id, body }) => (id === null || body === null ? [] : [{ id, body }]));
  const last = found.at(-1);
  return { rows, goesOnBehind: (last?.has_more ? last.id : last?.cut_at) ?? null };
}

/** The id of the tenant's oldest event of this day or a later one; null where there is none. */
export const findFirstEvent = async (db: TenantReads, day: number): Promise<number | null> =>
  (await db.maybeOne(findFirst, { fromId: day * IDS_A_DAY }))?.id ?? null;

/** Behind which of these places something has come in, whether or not it has settled. */
export const findFeedNews = (
  system: SystemScope,
  places: readonly { tenantId: number; after: FeedPosition }[],
): Promise<FeedNews[]> =>
  system.many(findNews, {
    tenantIds: places.map(({ tenantId }) => tenantId),
    afterIds: places.map(({ after }) => after.day * IDS_A_DAY + (after.number % IDS_A_DAY)),
  });

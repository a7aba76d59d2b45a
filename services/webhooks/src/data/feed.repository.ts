import type { CanonicalWebhookEvent, FeedPosition } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import { IDS_A_DAY } from '../domain/delivery-id.ts';
import { type FeedPage, type FeedRow, idsBetween } from '../domain/feed.ts';

/** Bodies of one answer together; a single event may be longer. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

interface PageArgs {
  laps: number[];
  froms: number[];
  tos: number[];
  names: readonly string[];
  limit: number;
}

// Of each day as many as are asked for: few days have any that are not in another one.
const findPage = tenantSql<FeedRow & { has_more: boolean }, PageArgs>(
  'feed_find_page',
  `with found as materialized (
     select f.id, row_number() over (order by r.lap, f.id % ${IDS_A_DAY}) as nth
     from unnest($laps::integer[], $froms::bigint[], $tos::bigint[]) as r (lap, from_id, to_id)
     cross join lateral (
       select id from events
       where tenant_id = $1 and id > r.from_id and id <= r.to_id and name = any($names::text[])
       order by id limit $limit::integer + 1
     ) f
     order by nth limit $limit::integer + 1
   ), weighed as (
     select found.nth, e.id, e.body, octet_length(e.body) as bytes,
       sum(octet_length(e.body)) over (order by found.nth) as bytes_so_far
     from found join events e on e.tenant_id = $1 and e.id = found.id
   )
   select id, body, nth < (select count(*) from found) as has_more from weighed
   where nth <= $limit::integer and (nth = 1 or bytes_so_far <= ${MAX_PAGE_BYTES})
   order by nth`,
);

const findFirst = tenantSql<{ id: number }, [fromId: number]>(
  'feed_find_first',
  'select id from events where tenant_id = $1 and id >= $2 order by id limit 1',
);

const readNumber = systemSql<{ number: number }>(
  'feed_read_number',
  'select case when is_called then last_value else 0 end as number from event_ids',
);

// A snapshot's own end tells only of transactions that are over. Our number is drawn after the feed's was read, and is above all that had
// been drawn by then. Numbers of transactions are shared by all databases of the cluster, whose transactions give no number of the feed;
// shown are only 32 bits of each.
const readTransactions = systemSql<OpenTransactions>(
  'feed_read_transactions',
  `with own as materialized (select pg_current_xact_id()::text::bigint as number),
   others as (
     select (own.number - a.backend_xid::text::bigint) & 4294967295 as behind from own, pg_stat_activity a
     where a.datname = current_database() and a.backend_xid is not null
   )
   select number - coalesce((select max(behind) from others where behind < 2147483648), 0) as oldest, number as own,
     floor(extract(epoch from clock_timestamp()) / 86400)::bigint as day
   from own`,
);

const findNews = systemSql<{ tenant_id: number }, [tenantIds: number[], afterIds: number[]]>(
  'feed_find_news',
  `select distinct w.tenant_id from unnest($1::bigint[], $2::bigint[]) as w (tenant_id, after_id)
   where exists (select from events e where e.tenant_id = w.tenant_id and e.id > w.after_id)`,
);

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

/** A tenant's events of these names between two places, in the order in which they came in. */
export async function findFeedPage(
  db: TenantReads,
  places: { after: FeedPosition; upTo: FeedPosition },
  { names, limit }: { names: readonly CanonicalWebhookEvent[]; limit: number },
): Promise<FeedPage> {
  const ranges = idsBetween(places.after, places.upTo);
  const rows = await db.many(findPage, {
    laps: ranges.map(({ lap }) => lap),
    froms: ranges.map(({ from }) => from),
    tos: ranges.map(({ to }) => to),
    names,
    limit,
  });
  return { rows, hasMore: rows.at(-1)?.has_more ?? false };
}

/** The id of the tenant's oldest event of this day or a later one; null where there is none. */
export const findFirstEvent = async (db: TenantReads, day: number): Promise<number | null> =>
  (await db.maybeOne(findFirst, day * IDS_A_DAY))?.id ?? null;

/** Those tenants for whom something has come in behind their place. */
export async function findTenantsWithNews(
  system: SystemScope,
  places: readonly { tenantId: number; after: FeedPosition }[],
): Promise<number[]> {
  const rows = await system.many(
    findNews,
    places.map(({ tenantId }) => tenantId),
    places.map(({ after }) => after.day * IDS_A_DAY + (after.number % IDS_A_DAY)),
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

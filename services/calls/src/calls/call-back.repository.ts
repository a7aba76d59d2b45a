import type { CallBackState } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { ADMIN_COLUMNS, LIST_COLUMNS } from './call.repository.ts';
import type { CallAdminColumns, CallBackColumns, CallListRow } from './call.rules.ts';

type MarkedCall = CallListRow & CallAdminColumns;

/** The other party's number, written as in the index `calls_by_number`; null if it is hidden. */
const NUMBER = `coalesce(customer_number, case direction when 'inbound' then from_number else to_number end)`;
const MISSED = `is_complete and is_missed and direction = 'inbound'`;

// Neither changes the record that integrators know: its version and `updated_at` stay. In the order of ids, so that two admins who mark
// calls of one number at once can't wait for each other.
const mark = tenantSql<MarkedCall, { id: number; by: string }>(
  'call_backs_mark',
  `with marked as (
     select ${NUMBER} as number, started_at as until, coalesce(called_back_at, now()) as at from calls
     where tenant_id = $tenantId and id = $id and ${MISSED}
   ), same as (
     select id as call_id from calls
     where tenant_id = $tenantId and ${MISSED} and not is_test and called_back_at is null
       and ${NUMBER} = (select number from marked) and started_at <= (select until from marked)
     order by id for update
   ), changed as (
     update calls
     set called_back_at = coalesce(called_back_at, (select at from marked)), called_back_by = coalesce(called_back_by, $by)
     where tenant_id = $tenantId and ${MISSED} and id in (select $id union select call_id from same)
     returning ${LIST_COLUMNS}, ${ADMIN_COLUMNS}
   )
   select * from changed where id = $id`,
);

// One mark of several calls gave them one time.
const unmark = tenantSql<MarkedCall, { id: number }>(
  'call_backs_unmark',
  `with marked as (
     select ${NUMBER} as number, called_back_at as at from calls where tenant_id = $tenantId and id = $id and is_complete
   ), same as (
     select id as call_id from calls
     where tenant_id = $tenantId and is_complete and not is_test
       and ${NUMBER} = (select number from marked) and called_back_at = (select at from marked)
     order by id for update
   ), changed as (
     update calls set called_back_at = null, called_back_by = null
     where tenant_id = $tenantId and is_complete and id in (select $id union select call_id from same)
     returning ${LIST_COLUMNS}, ${ADMIN_COLUMNS}
   )
   select * from changed where id = $id`,
);

/**
 * Notes who called back, on this missed call and on earlier ones of its number that were open; the first who said so stays. Null where
 * there is no such missed call.
 */
export const markCalledBack = (db: TenantReads, id: number, by: string) => db.maybeOne(mark, { id, by });

/** Takes a mark back from all calls that it was set on. Null where there is no such call. */
export const unmarkCalledBack = (db: TenantReads, id: number) => db.maybeOne(unmark, { id });

/** The latest call of a number, with what there is of the number's others. */
interface CallBackRow extends MarkedCall, CallBackColumns {
  /** Of numbers in the list. */
  total: number;
}

/** Who was reached: a mailbox isn't somebody. */
const TALK = `is_complete and not is_test and not is_missed and outcome not in ('voicemail', 'no_answer', 'failed')`;
const COLUMNS = `id as call_id, ${NUMBER} as number, started_at as rang_at`;
const SINCE = `started_at >= now() - make_interval(days => $days)`;

// An unmarked call is open until somebody has talked with its number since.
const callBacks = (state: CallBackState, listed: string) =>
  tenantSql<CallBackRow, { days: number; count: number }>(
    `call_backs_${state}`,
    `with unmarked as materialized (
       select ${COLUMNS} from calls
       where tenant_id = $tenantId and ${MISSED} and not is_test and called_back_at is null and ${SINCE}
     ), talks as (
       select numbers.number, talk.* from (select distinct number from unmarked where number is not null) numbers
       cross join lateral (
         select id as talk_id, started_at as talk_at, direction as talk_direction from calls
         where tenant_id = $tenantId and ${NUMBER} = numbers.number and ${TALK} and ${SINCE}
         order by started_at desc limit 1
       ) talk
     ), listed as (${listed}),
     latest as (
       select distinct on (party, closed_at) *, count(*) over (partition by party, closed_at) as times
       from (select *, coalesce(number, call_id::text) as party from listed) each
       order by party, closed_at, rang_at desc, call_id desc
     )
     select ${LIST_COLUMNS}, ${ADMIN_COLUMNS}, times, talk_id, talk_at, talk_direction, (select count(*) from latest) as total
     from latest join calls on calls.tenant_id = $tenantId and calls.id = call_id
     order by started_at desc, id desc limit $count`,
  );

const findOpen = callBacks(
  'open',
  `select call_id, unmarked.number, rang_at, null::timestamptz as closed_at,
     null::bigint as talk_id, null::timestamptz as talk_at, null::text as talk_direction
   from unmarked left join talks on talks.number = unmarked.number
   where talks.talk_at is null or talks.talk_at < rang_at`,
);

const findDone = callBacks(
  'done',
  `select ${COLUMNS}, called_back_at as closed_at,
     null::bigint as talk_id, null::timestamptz as talk_at, null::text as talk_direction
   from calls where tenant_id = $tenantId and ${MISSED} and not is_test and called_back_at is not null and ${SINCE}
   union all
   select call_id, unmarked.number, rang_at, talk_at, talk_id, talk_at, talk_direction
   from unmarked join talks on talks.number = unmarked.number and talks.talk_at >= rang_at`,
);

/** Missed calls of the last days by number, the latest first; a hidden number is a party of its own each time. */
export const listCallBacks = (
  db: TenantReads,
  state: CallBackState,
  { days, count }: { days: number; count: number },
) => db.many(state === 'open' ? findOpen : findDone, { days, count });

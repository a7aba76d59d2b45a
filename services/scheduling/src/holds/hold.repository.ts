import { HOLD_KEPT_MINUTES, type HoldsState, MOST_ENDED_HOLDS } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { APPOINTMENT_COLUMNS } from '../appointments/appointment.repository.ts';
import type { AppointmentRow } from '../appointments/appointment.rules.ts';
import type { Actor } from '../appointments/appointment-history.rules.ts';
import { type InsertArgs, insertSql, insertWithPreferred } from '../appointments/booking.repository.ts';
import type { BookingPlan } from '../appointments/booking-plan.rules.ts';
import { isTaken } from '../availability/busy.repository.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import type { DayHoldRow, HoldRow, OpenCounts } from './hold.rules.ts';

// Not `now()`: the transaction may have begun long before, and waited.
const IS_OPEN = `status = 'held' and held_until > clock_timestamp()`;
const COLUMNS = `${APPOINTMENT_COLUMNS}, held_until, (${IS_OPEN}) as is_open`;

const SWITCH = `hashtextextended('holds switch', 0)`;

// A business makes one hold at a time, so that none is one too many. Turning holds off waits for those that are being made.
const queue = tenantSql<never>(
  'holds_queue',
  `select pg_advisory_xact_lock_shared(${SWITCH}),
     pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'holds', 'tenant_id', $tenantId::bigint), 0))`,
);

// A program that holds and gives back all day would fill the table.
const deleteOld = tenantSql<never>(
  'holds_delete_old',
  `delete from appointments where tenant_id = $tenantId and id in (
     select id from appointments where tenant_id = $tenantId and status = 'expired'
     order by held_until desc offset ${MOST_ENDED_HOLDS} limit ${MOST_ENDED_HOLDS} for update skip locked)`,
);

const count = tenantSql<{ is_on: boolean; of_business: number; of_holder: number }, { holder: string }>(
  'holds_count',
  `select (select is_on from holds_setting) as is_on, count(*) as of_business,
     count(*) filter (where holder = $holder) as of_holder
   from appointments where tenant_id = $tenantId and ${IS_OPEN}`,
);

const insert = tenantSql<HoldRow, InsertArgs & { seconds: number; holder: string }>(
  'hold_insert',
  insertSql(
    'source, status, held_until, holder',
    `'', 'held', clock_timestamp() + make_interval(secs => $seconds), $holder`,
    COLUMNS,
  ),
);

const find = tenantSql<HoldRow, { id: number }>(
  'hold_find',
  `select ${COLUMNS} from appointments where tenant_id = $tenantId and id = $id and holder is not null`,
);

const lock = tenantSql<HoldRow, { id: number }>(
  'hold_lock',
  `select ${COLUMNS} from appointments where tenant_id = $tenantId and id = $id and holder is not null for update`,
);

const release = tenantSql<HoldRow, { id: number }>(
  'hold_release',
  `update appointments set status = 'expired', held_until = clock_timestamp()
   where tenant_id = $tenantId and id = $id returning ${COLUMNS}`,
);

const releaseOpen = tenantSql<never>(
  'holds_release',
  `update appointments set status = 'expired', held_until = clock_timestamp()
   where tenant_id = $tenantId and id = any(array(
     select id from appointments where tenant_id = $tenantId and ${IS_OPEN} order by id for update))`,
);

// Version and times begin here, as nobody was told of the hold. It may have expired during the wait for the row's lock.
const book = tenantSql<
  AppointmentRow,
  {
    id: number;
    customerId: number;
    notes: string | null;
    source: string;
    bookedRole: string;
    bookedBy: number | null;
  }
>(
  'hold_book',
  `update appointments
   set customer_id = $customerId, notes = $notes, source = $source, booked_role = $bookedRole, booked_by = $bookedBy,
     status = 'scheduled', version = 1, created_at = now(), updated_at = now()
   where tenant_id = $tenantId and id = $id and ${IS_OPEN}
   returning ${APPOINTMENT_COLUMNS}`,
);

/** Other holds of the business wait until this transaction ends. Deletes those that have ended, but for the latest. */
export const queueForHold = (tx: TenantTransaction) => Promise.all([tx.run(queue), tx.run(deleteOld)]);

/** Null where holds are off. */
export async function countOpen(db: TenantReads, holder: string): Promise<OpenCounts | null> {
  const { is_on, of_business, of_holder } = await db.one(count, { holder });
  return is_on ? { ofBusiness: of_business, ofHolder: of_holder } : null;
}

export const countOpenHolds = async (db: TenantReads) => (await db.one(count, { holder: '' })).of_business;

/** Holds the plan's place with the preferred of its candidates who are free; null when nobody is. */
export const insertHold = (
  tx: TenantTransaction,
  plan: BookingPlan,
  details: { seconds: number; holder: string },
): Promise<HoldRow | null> =>
  insertWithPreferred(tx, plan, (place) => tx.maybeOne(insert, { ...place, ...details }));

/** Also once it is an appointment. */
export const findHold = (db: TenantReads, id: number) => db.maybeOne(find, { id });

/** The same, and holds the row until the transaction ends. */
export const lockHold = (tx: TenantTransaction, id: number) => tx.maybeOne(lock, { id });

/** Lock it first. */
export const releaseHold = (tx: TenantTransaction, id: number) => tx.one(release, { id });

/** @returns how many there were */
export const releaseOpenHolds = (tx: TenantTransaction): Promise<number> => tx.run(releaseOpen);

/** Makes it an appointment. Lock it first; null where its time is over by now. */
export const bookLocked = (
  tx: TenantTransaction,
  id: number,
  { by, ...details }: { customerId: number; notes: string | null; source: string; by: Actor },
) => tx.maybeOne(book, { id, ...details, bookedRole: by.role, bookedBy: by.id });

/** Open holds that touch the stretch with their time or their buffers. */
export const HELD_TOUCHING = `from appointments held
   where held.tenant_id = $tenantId and ${isTaken('held')} and held.status = 'held'
     and held.occupied && tstzrange($dayStart, $dayEnd)`;

const findTouching = tenantSql<DayHoldRow, { dayStart: Date; dayEnd: Date }>(
  'day_holds',
  `select held.id, held.resource_id, held.starts_at, held.ends_at, held.buffer_before_minutes,
     held.buffer_after_minutes, held.held_until, (
     select service.name from services service where service.tenant_id = $tenantId and service.id = held.service_id
   ) as service_name
   ${HELD_TOUCHING}
   order by held.starts_at, held.id`,
);

/** By start. */
export const listHoldsTouching = (db: TenantReads, { start, end }: Interval) =>
  db.many(findTouching, { dayStart: new Date(start), dayEnd: new Date(end) });

const OPEN_ONES = `from appointments where ${IS_OPEN}`;

const state = systemSql<Omit<HoldsState, 'businesses'>>(
  'holds_state',
  `select (select is_on from holds_setting) as is_on, (select count(*) ${OPEN_ONES}) as open,
     (select count(*) from appointments where status = 'held') +
       (select count(*) from appointments where status = 'expired') as kept`,
);

const busiest = systemSql<HoldsState['businesses'][number], { limit: number }>(
  'holds_busiest',
  `select tenant_id, count(*) as open ${OPEN_ONES} group by tenant_id order by open desc, tenant_id limit $limit`,
);

const awaitHolds = systemSql<never>('holds_await', `select pg_advisory_xact_lock(${SWITCH})`);
const turn = systemSql<never, { isOn: boolean }>('holds_turn', 'update holds_setting set is_on = $isOn');

const countAll = systemSql<{ open: number }>('holds_count_all', `select count(*) as open ${OPEN_ONES}`);

const SHOWN_BUSINESSES = 10;

export async function readHoldsState(system: SystemScope): Promise<HoldsState> {
  const [read, businesses] = await Promise.all([
    system.one(state),
    system.many(busiest, { limit: SHOWN_BUSINESSES }),
  ]);
  return { ...read, businesses };
}

/** Whether holds are made from now on; those that are being made are there before this ends. What is open stays so until its end. */
export const turnHolds = (system: SystemScope, isOn: boolean) =>
  system.transaction(async (tx) => {
    await tx.run(awaitHolds);
    await tx.run(turn, { isOn });
  });

export const countAllOpenHolds = async (system: SystemScope) => (await system.one(countAll)).open;

const BATCH = 1_000;

const rowsWhere = (condition: string) => `(tenant_id, id) in (
     select tenant_id, id from appointments where ${condition}
     order by tenant_id, id limit ${BATCH} for update skip locked)`;

const expire = systemSql<never>(
  'holds_expire',
  `update appointments set status = 'expired'
   where ${rowsWhere(`status = 'held' and held_until <= now()`)}`,
);

const remove = systemSql<never>(
  'holds_remove',
  `delete from appointments
   where ${rowsWhere(`status = 'expired' and held_until < now() - interval '${HOLD_KEPT_MINUTES} minutes'`)}`,
);

/** Takes expired holds out of the constraint, and deletes old ones. @returns whether there may be more */
export async function clearHolds(system: SystemScope): Promise<boolean> {
  const expired = await system.run(expire);
  const removed = await system.run(remove);
  return Math.max(expired, removed) === BATCH;
}

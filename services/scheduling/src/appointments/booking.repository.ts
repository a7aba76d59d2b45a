import type { AppointmentStatus } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { hasExpired, KEPT_APART } from '../availability/busy.repository.ts';
import type { Offer } from '../availability/offer.rules.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { APPOINTMENT_COLUMNS, NO_OVERLAP, SET_CHANGED, SET_UNVERSIONED } from './appointment.repository.ts';
import type { AppointmentChange, AppointmentRow, UnversionedFields } from './appointment.rules.ts';
import type { Actor } from './appointment-history.rules.ts';
import type { BookingPlan, Place } from './booking-plan.rules.ts';

interface Preferred {
  resource_id: number;
  /** An expired hold is still in the constraint. */
  has_expired_hold: boolean;
}

interface CandidateArgs {
  resourceIds: number[];
  onShift: boolean[];
  occupiedFrom: Date;
  occupiedUntil: Date;
  dayStart: Date;
  dayEnd: Date;
  exceptAppointmentId: number | null;
}

// What starts on a day also occupies part of it. Saying so leads the index to that day alone, not to all days of a resource.
const findPreferred = tenantSql<Preferred, CandidateArgs>(
  'booking_preferred',
  `select candidate.resource_id, coalesce(day.has_expired_hold, false) as has_expired_hold
   from unnest($resourceIds::bigint[], $onShift::boolean[]) as candidate(resource_id, is_on_shift)
   cross join lateral (
     select bool_or(booked.occupied && tstzrange($occupiedFrom, $occupiedUntil) and not ${hasExpired('booked')}) as is_taken,
       bool_or(booked.occupied && tstzrange($occupiedFrom, $occupiedUntil) and ${hasExpired('booked')}) as has_expired_hold,
       count(*) filter (
         where booked.starts_at >= $dayStart and booked.starts_at < $dayEnd and not ${hasExpired('booked')}
       ) as appointments_that_day
     from appointments booked
     where booked.tenant_id = $tenantId and booked.resource_id = candidate.resource_id and booked.${KEPT_APART}
       and booked.occupied && tstzrange(least($occupiedFrom, $dayStart), greatest($occupiedUntil, $dayEnd))
       and ($exceptAppointmentId::bigint is null or booked.id <> $exceptAppointmentId)
   ) day
   where day.is_taken is not true
   order by candidate.is_on_shift desc, day.appointments_that_day, candidate.resource_id
   limit 1`,
);

/** Of those who are free, who is on shift first, then who has the fewest appointments that day; null when nobody is free. */
async function findPreferredResource(
  db: TenantReads,
  { candidates, occupied, day }: Place,
  exceptAppointmentId: number | null,
): Promise<Preferred | null> {
  return db.maybeOne(findPreferred, {
    resourceIds: candidates.map(({ resourceId }) => resourceId),
    onShift: candidates.map(({ isOnShift }) => isOnShift),
    occupiedFrom: new Date(occupied.start),
    occupiedUntil: new Date(occupied.end),
    dayStart: new Date(day.start),
    dayEnd: new Date(day.end),
    exceptAppointmentId,
  });
}

interface PlanArgs {
  serviceId: number;
  startsAt: Date;
  endsAt: Date;
  localDate: string;
  timezone: string;
  durationMinutes: number;
  bufferBeforeMinutes: number;
  bufferAfterMinutes: number;
  priceMinor: number;
  currency: string;
}

/** A visit at its time, on its terms. */
export type Placed = Pick<BookingPlan, 'startsAt' | 'endsAt' | 'date' | 'timezone' | 'occupied'> & {
  offer: Pick<Offer, 'service'>;
};

function planArgs({ offer: { service }, startsAt, endsAt, date, timezone }: Placed): PlanArgs {
  return {
    serviceId: service.id,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    localDate: date,
    timezone,
    durationMinutes: service.durationMinutes,
    bufferBeforeMinutes: service.bufferBeforeMinutes,
    bufferAfterMinutes: service.bufferAfterMinutes,
    priceMinor: service.priceMinor,
    currency: service.currency,
  };
}

interface PlaceArgs {
  staffId: number | null;
  occupiedFrom: Date;
  occupiedUntil: Date;
}

const placeArgs = ({ occupied }: Pick<Place, 'occupied'>, resourceId: number): PlaceArgs => ({
  staffId: resourceId === BUSINESS ? null : resourceId,
  occupiedFrom: new Date(occupied.start),
  occupiedUntil: new Date(occupied.end),
});

/** A place and its terms, to insert with. */
export type InsertArgs = PlaceArgs & PlanArgs;

interface BookingDetails {
  customerId: number;
  notes: string | null;
  source: string;
  by: Actor;
}

/**
 * What takes a place, with these columns of its own; nothing where it is taken. Plain inserts that race for one place deadlock; this one
 * waits for the other to end, and then inserts nothing. Apart from the choice of a candidate: together they were planned for every
 * booking, which cost more than the trip.
 */
export const insertSql = (columns: string, values: string, returned: string) => `
   insert into appointments (
     tenant_id, staff_id, occupied, service_id, starts_at, ends_at, local_date, timezone, duration_minutes,
     buffer_before_minutes, buffer_after_minutes, price_minor, currency, ${columns})
   values ($tenantId, $staffId, tstzrange($occupiedFrom, $occupiedUntil), $serviceId, $startsAt, $endsAt, $localDate, $timezone,
     $durationMinutes, $bufferBeforeMinutes, $bufferAfterMinutes, $priceMinor, $currency, ${values})
   on conflict on constraint ${NO_OVERLAP} do nothing
   returning ${returned}`;

const insert = tenantSql<
  AppointmentRow,
  InsertArgs & Omit<BookingDetails, 'by'> & { bookedRole: string; bookedBy: number | null }
>(
  'booking_insert',
  insertSql(
    'customer_id, notes, source, booked_role, booked_by, status',
    `$customerId, $notes, $source, $bookedRole, $bookedBy, 'scheduled'`,
    APPOINTMENT_COLUMNS,
  ),
);

// In one order, so that two who want the same places wait for each other, and don't deadlock.
const clearExpired = tenantSql<never, Omit<PlaceArgs, 'staffId'> & { resourceId: number }>(
  'booking_clear_expired',
  `update appointments set status = 'expired'
   where tenant_id = $tenantId and id = any(array(
     select id from appointments
     where tenant_id = $tenantId and resource_id = $resourceId and ${KEPT_APART}
       and occupied && tstzrange($occupiedFrom, $occupiedUntil)
       and status = 'held' and held_until <= clock_timestamp()
     order by id for update))`,
);

const move = tenantSql<
  AppointmentRow,
  PlaceArgs & PlanArgs & UnversionedFields & { id: number; status: AppointmentStatus; notes: string | null }
>(
  'booking_move',
  `update appointments
   set staff_id = $staffId, occupied = tstzrange($occupiedFrom, $occupiedUntil), service_id = $serviceId,
     starts_at = $startsAt, ends_at = $endsAt, local_date = $localDate, timezone = $timezone,
     duration_minutes = $durationMinutes, buffer_before_minutes = $bufferBeforeMinutes,
     buffer_after_minutes = $bufferAfterMinutes, price_minor = $priceMinor, currency = $currency, status = $status,
     notes = $notes, ${SET_CHANGED},
     cancelled_at = case when $status = 'cancelled' then coalesce(cancelled_at, now()) end, ${SET_UNVERSIONED}
   where tenant_id = $tenantId and id = $id
   returning ${APPOINTMENT_COLUMNS}`,
);

// Plain updates that race for one place would deadlock, each holding its new row while it waits for the other's.
const queueForResource = tenantSql<never, { resourceId: number }>(
  'booking_queue',
  `select pg_advisory_xact_lock(
     hashtextextended(concat_ws(' ', 'appointments', 'tenant_id', $tenantId::bigint, $resourceId::bigint), 0))`,
);

/** Clears away expired holds that are still in the constraint. @returns how many there were */
const clearExpiredAt = (
  tx: TenantTransaction,
  { occupied }: Pick<Place, 'occupied'>,
  resourceId: number,
): Promise<number> =>
  tx.run(clearExpired, {
    resourceId,
    occupiedFrom: new Date(occupied.start),
    occupiedUntil: new Date(occupied.end),
  });

/** Books the plan with the preferred of its candidates who are free; null when nobody is. */
export const insertAppointment = (
  tx: TenantTransaction,
  plan: BookingPlan,
  { by, ...details }: BookingDetails,
): Promise<AppointmentRow | null> =>
  insertWithPreferred(tx, plan, (place) =>
    tx.maybeOne(insert, { ...place, ...details, bookedRole: by.role, bookedBy: by.id }),
  );

/**
 * Takes the plan's place with the preferred of its candidates who are free.
 * @param take inserts what takes the place; null where it is taken
 * @returns what `take` has inserted; null when nobody is free
 */
export async function insertWithPreferred<Row>(
  tx: TenantTransaction,
  plan: BookingPlan,
  take: (place: InsertArgs) => Promise<Row | null>,
): Promise<Row | null> {
  const [only, ...others] = plan.candidates;
  const insertFor = async (resourceId: number) => {
    const place = { ...placeArgs(plan, resourceId), ...planArgs(plan) };
    const row = await take(place);
    // An expired hold that nobody has cleared yet is still in the constraint.
    return row === null && (await clearExpiredAt(tx, plan, resourceId)) > 0 ? take(place) : row;
  };
  // Whether the only one is free, the constraint says.
  if (only && others.length === 0) return insertFor(only.resourceId);
  // Another turn only after a race for the preferred candidate was lost, who is seen to be taken from then on. Somebody
  // may have been taken and be free again meanwhile, hence more turns than candidates.
  for (let turn = 0; turn < 2 * plan.candidates.length; turn += 1) {
    const preferred = await findPreferredResource(tx, plan, null);
    if (preferred === null) return null;
    const row = await insertFor(preferred.resource_id);
    if (row) return row;
  }
  return null;
}

/**
 * The preferred candidate of those who are free, the appointment itself aside; null when nobody is. To the end of the
 * transaction no other appointment moves to that candidate.
 */
export async function lockPreferredResource(
  tx: TenantTransaction,
  place: Place,
  exceptAppointmentId: number,
): Promise<number | null> {
  const preferred = await findPreferredResource(tx, place, exceptAppointmentId);
  if (preferred === null) return null;
  const { resource_id: resourceId } = preferred;
  await tx.run(queueForResource, { resourceId });
  // Before the update, which would wait for others who are ending it, while they wait for the row that it has written.
  if (preferred.has_expired_hold) await clearExpiredAt(tx, place, resourceId);
  return resourceId;
}

/** @throws a violation of `appointments_no_overlap` where somebody else has taken the place by now. */
export function moveAppointment(
  tx: TenantTransaction,
  id: number,
  { plan, resourceId, change }: { plan: Placed; resourceId: number; change: AppointmentChange },
): Promise<AppointmentRow> {
  const { status, notes, isArrived, cancellationReason } = change;
  return tx.one(move, {
    id,
    ...placeArgs(plan, resourceId),
    ...planArgs(plan),
    status,
    notes,
    isArrived,
    cancellationReason,
  });
}

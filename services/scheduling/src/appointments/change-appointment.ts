import { holdsSlot, type UpdateAppointment } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope, type TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { occupiedBy, termsOf } from '../availability/buffers.rules.ts';
import { findCatalogueWithoutCalendars } from '../availability/catalogue.repository.ts';
import { shareBusiness } from '../booking-settings/booking-settings.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import { lockAppointment, NO_OVERLAP, updateAppointmentStatus } from './appointment.repository.ts';
import {
  type AppointmentChange,
  type AppointmentRow,
  appointmentRecord,
  changeOf,
  type Wish,
  wishOf,
} from './appointment.rules.ts';
import { eventOfChange } from './appointment-events.rules.ts';
import { lockPreferredResource, moveAppointment } from './booking.repository.ts';
import { holdAndPlan, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotTaken, slotUnavailable } from './slot-unavailable.ts';

interface ChangeContext {
  tenant: Pick<TenantProfile, 'timezone' | 'quotas' | 'storage_full'>;
  search: AlternativesSearch;
  requireVersion: RequireVersion;
}

/** Each but the first follows a race that another won; with many staff to choose from, as many may be lost. */
const MAX_ATTEMPTS = 50;

/**
 * Applies a patch; entering `cancelled` is one too. A patch that changes nothing emits nothing.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed`, `slot_unavailable` with alternatives;
 * `quota_exceeded` for longer notes.
 */
export async function changeAppointment(
  scope: TenantScope,
  id: number,
  patch: UpdateAppointment,
  context: ChangeContext,
): Promise<AppointmentRow> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return await scope.transaction((tx) => change(tx, id, patch, context));
    } catch (error) {
      // Somebody took the place after it was seen to be free. The next look sees them, and knows alternatives.
      if (!isConstraintViolation(error, NO_OVERLAP)) throw error;
    }
  }
  throw slotTaken();
}

async function change(
  tx: TenantTransaction,
  id: number,
  patch: UpdateAppointment,
  context: ChangeContext,
): Promise<AppointmentRow> {
  const before = await lockAppointment(tx, id);
  if (before === null) throw notFound('Appointment');
  context.requireVersion(before.version);
  const wanted = changeOf(before, patch, context.tenant.timezone);
  if (wanted === null) return before;

  const after =
    wanted.wish === null
      ? await changeInPlace(tx, before, wanted, { ...context, enforcesSlots: patch.enforce_slots === true })
      : await move(tx, before, { ...wanted, wish: wanted.wish }, context);
  if (after.version === before.version) return before;
  tx.emit(eventOfChange(before.status, after.status), {
    aggregateId: after.id,
    version: after.version,
    data: appointmentRecord(after),
  });
  return after;
}

async function changeInPlace(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange,
  context: ChangeContext & { enforcesSlots: boolean },
): Promise<AppointmentRow> {
  if (!holdsSlot(before.status) && holdsSlot(wanted.status))
    await takeSlotAgain(tx, before, { ...context, timezone: context.tenant.timezone });
  return updateAppointmentStatus(tx, before.id, wanted);
}

async function move(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange & { wish: Wish },
  { tenant: { timezone }, search }: ChangeContext,
): Promise<AppointmentRow> {
  const { wish, status, notes } = wanted;
  const keepsService = wish.serviceId === before.service_id;
  const terms = keepsService ? termsOf(before) : undefined;
  const planned = await holdAndPlan(tx, wish, { timezone, terms });
  const plan = requirePlan(planned, { search, movedId: before.id });
  const resourceId = holdsSlot(status)
    ? await lockPreferredResource(tx, plan, before.id)
    : (plan.candidates[0]?.resourceId ?? null);
  if (resourceId === null) throw slotUnavailable(search, { ...plan, movedId: before.id });
  const isWhereItWas =
    keepsService &&
    resourceId === (before.staff_id ?? BUSINESS) &&
    plan.startsAt === before.starts_at.getTime();
  if (!isWhereItWas) return moveAppointment(tx, before.id, { plan, resourceId, status, notes });
  // The new choice is the same staff member again.
  if (status === before.status && notes === before.notes) return before;
  return updateAppointmentStatus(tx, before.id, { status, notes });
}

/**
 * Takes again the slot that an appointment once gave up: it is free, and its staff member still works here. An appointment
 * in the past may return to any staff member.
 * @param context.enforcesSlots only where the slot is offered
 * @throws AppError `slot_unavailable`, with what is free nearby: with the same staff member, while they work here;
 * `validation_failed` for a slot that is not offered
 */
async function takeSlotAgain(
  tx: TenantTransaction,
  row: AppointmentRow,
  context: { timezone: string; search: AlternativesSearch; enforcesSlots: boolean },
): Promise<void> {
  const { timezone, search, enforcesSlots } = context;
  const terms = termsOf(row);
  if (enforcesSlots) {
    const wish = { ...wishOf(row, timezone), enforcesSlots };
    requirePlan(await holdAndPlan(tx, wish, { timezone, terms }), { search, movedId: row.id });
  }
  const startsAt = row.starts_at.getTime();
  const resourceId = row.staff_id ?? BUSINESS;
  const place = {
    candidates: [{ resourceId, isOnShift: true }],
    occupied: occupiedBy(terms, startsAt),
    day: dayOf(row.local_date, row.timezone),
  };
  const now = Date.now();
  const isComing = startsAt >= now && resourceId !== BUSINESS;
  if (isComing) await shareBusiness(tx);
  const isFree = (await lockPreferredResource(tx, place, row.id)) !== null;
  if (isFree && !isComing) return;

  const catalogue = await findCatalogueWithoutCalendars(tx, row.service_id);
  if (catalogue === null) throw slotTaken();
  const isHere = resourceId === BUSINESS || catalogue.staff.some(({ id }) => id === resourceId);
  if (isFree && isHere) return;
  const others = catalogue.staff.filter(({ id, performs }) => performs && (!isHere || id === resourceId));
  const resources = resourceId === BUSINESS ? [{ id: BUSINESS }] : others;
  const offer = { settings: catalogue.settings, service: terms, resources };
  throw slotUnavailable(search, { offer, startsAt, timezone, movedId: row.id });
}

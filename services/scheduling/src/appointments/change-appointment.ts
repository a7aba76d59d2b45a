import { takesSlot, type UpdateAppointmentAdmin } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope, type TenantTransaction } from '@frontdesk/database';
import { MINUTE_MS } from '@frontdesk/local-time';
import { invalid, notFound, type RequireVersion } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { occupiedBy, type ServiceTerms } from '../availability/buffers.rules.ts';
import { findCatalogueWithoutCalendars } from '../availability/catalogue.repository.ts';
import { shareBusiness } from '../booking-settings/booking-settings.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import {
  lockAppointment,
  NO_OVERLAP,
  updateAppointment,
  updateUnversionedFields,
} from './appointment.repository.ts';
import {
  type AppointmentChange,
  type AppointmentRow,
  appointmentRecord,
  areUnversionedFieldsChanged,
  changeOf,
  isLengthChanged,
  isRecordChanged,
  patchFaults,
  type Wish,
  wishOf,
} from './appointment.rules.ts';
import { eventOfChange } from './appointment-events.rules.ts';
import { addToHistory } from './appointment-history.repository.ts';
import type { Actor } from './appointment-history.rules.ts';
import { lockPreferredResource, moveAppointment } from './booking.repository.ts';
import { planUnderLock, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotTaken, slotUnavailable } from './slot-unavailable.ts';

interface ChangeContext {
  tenant: Pick<TenantProfile, 'timezone' | 'quotas' | 'storage_full'>;
  search: AlternativesSearch;
  requireVersion: RequireVersion;
  by: Actor;
}

/** Each but the first follows a race that another won; with many staff to choose from, as many may be lost. */
const MAX_ATTEMPTS = 50;

/**
 * Applies a patch; entering `cancelled` is one too. A patch that changes nothing of the record emits nothing, and makes no version.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed`, `slot_unavailable` with alternatives;
 * `quota_exceeded` for longer notes.
 */
export async function changeAppointment(
  scope: TenantScope,
  id: number,
  patch: UpdateAppointmentAdmin,
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
  patch: UpdateAppointmentAdmin,
  context: ChangeContext,
): Promise<AppointmentRow> {
  const before = await lockAppointment(tx, id);
  if (before === null) throw notFound('Appointment');
  context.requireVersion(before.version);
  const faults = patchFaults(before, patch);
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const wanted = changeOf(before, patch, context.tenant.timezone);
  if (wanted === null) return before;

  const after =
    wanted.wish === null
      ? await changeInPlace(tx, before, wanted, { ...context, enforcesSlots: patch.enforce_slots === true })
      : await move(tx, before, { ...wanted, wish: wanted.wish }, context);
  addToHistory(tx, { before, after, by: context.by });
  if (after.version !== before.version)
    tx.emit(eventOfChange(before.status, after.status), {
      aggregateId: after.id,
      version: after.version,
      data: appointmentRecord(after),
    });
  return after;
}

/** At the same time, with the same staff member. */
async function changeInPlace(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange,
  { tenant: { timezone }, search, enforcesSlots }: ChangeContext & { enforcesSlots: boolean },
): Promise<AppointmentRow> {
  const { terms } = wanted;
  const isResized = isLengthChanged(before, wanted);
  if (takesSlot(wanted.status) && (isResized || !takesSlot(before.status)))
    await takePlace(tx, before, { terms, timezone, search, enforcesSlots });
  if (!isResized) return saveDetails(tx, before, wanted);
  const startsAt = before.starts_at.getTime();
  const plan = {
    offer: { service: terms },
    startsAt,
    endsAt: startsAt + terms.durationMinutes * MINUTE_MS,
    occupied: occupiedBy(terms, startsAt),
    date: before.local_date,
    timezone: before.timezone,
  };
  return moveAppointment(tx, before.id, { plan, resourceId: before.staff_id ?? BUSINESS, change: wanted });
}

/** Nothing that needs a place: status, note, price, unversioned fields. */
async function saveDetails(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange,
): Promise<AppointmentRow> {
  if (isRecordChanged(before, wanted)) return updateAppointment(tx, before.id, wanted);
  return areUnversionedFieldsChanged(before, wanted)
    ? updateUnversionedFields(tx, before.id, wanted)
    : before;
}

async function move(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange & { wish: Wish },
  { tenant: { timezone }, search }: ChangeContext,
): Promise<AppointmentRow> {
  const { wish, status } = wanted;
  const keepsService = wish.serviceId === before.service_id;
  const terms = keepsService ? wanted.terms : undefined;
  const planned = await planUnderLock(tx, wish, { timezone, terms });
  const plan = requirePlan(planned, { search, movedId: before.id });
  const resourceId = takesSlot(status)
    ? await lockPreferredResource(tx, plan, before.id)
    : (plan.candidates[0]?.resourceId ?? null);
  if (resourceId === null) throw slotUnavailable(search, { ...plan, movedId: before.id });
  const isWhereItWas =
    keepsService &&
    resourceId === (before.staff_id ?? BUSINESS) &&
    plan.startsAt === before.starts_at.getTime() &&
    !isLengthChanged(before, wanted);
  // The new choice is the same staff member again.
  return isWhereItWas
    ? saveDetails(tx, before, wanted)
    : moveAppointment(tx, before.id, { plan, resourceId, change: wanted });
}

/**
 * Checks and locks the place: for another length, or again after it was given up. A coming appointment that comes back also needs its
 * staff member to work there. No policy checks another length: an appointment may run past closing.
 * @param context.enforcesSlots only where the slot is offered, for this length
 * @throws AppError `slot_unavailable`, with what is free nearby: with the same staff member, while they work here;
 * `validation_failed` for a slot that is not offered
 */
async function takePlace(
  tx: TenantTransaction,
  row: AppointmentRow,
  context: { terms: ServiceTerms; timezone: string; search: AlternativesSearch; enforcesSlots: boolean },
): Promise<void> {
  const { terms, timezone, search, enforcesSlots } = context;
  if (enforcesSlots) {
    const wish = { ...wishOf(row, timezone), enforcesSlots };
    requirePlan(await planUnderLock(tx, wish, { timezone, terms }), { search, movedId: row.id });
  }
  const startsAt = row.starts_at.getTime();
  const resourceId = row.staff_id ?? BUSINESS;
  const place = {
    candidates: [{ resourceId, isOnShift: true }],
    occupied: occupiedBy(terms, startsAt),
    day: dayOf(row.local_date, row.timezone),
  };
  const now = Date.now();
  const isComing = !takesSlot(row.status) && startsAt >= now && resourceId !== BUSINESS;
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

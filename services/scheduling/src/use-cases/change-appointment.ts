import type { UpdateAppointment } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope, type TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import { lockAppointment, NO_OVERLAP, updateAppointmentStatus } from '../data/appointment.repository.ts';
import { lockPreferredResource, moveAppointment } from '../data/booking.repository.ts';
import {
  type AppointmentChange,
  type AppointmentRow,
  appointmentRecord,
  changeOf,
  termsOf,
  type Wish,
} from '../domain/appointment.ts';
import { BUSINESS } from '../domain/slot.ts';
import { eventOfChange, holdsSlot } from '../domain/status.ts';
import { holdAndPlan, requirePlan } from './plan-booking.ts';
import { retakeSlot } from './retake-slot.ts';
import { type AlternativesSearch, slotTaken, slotUnavailable } from './slot-unavailable.ts';

interface ChangeContext {
  timezone: string;
  search: AlternativesSearch;
  requireVersion: RequireVersion;
}

/** Each but the first follows a race that another won; with many staff to choose from, as many may be lost. */
const MAX_ATTEMPTS = 50;

/**
 * Applies a patch; entering `cancelled` is one too. A patch that changes nothing emits nothing.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed`, `slot_unavailable` with alternatives.
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
  const wanted = changeOf(before, patch, context.timezone);
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
  if (!holdsSlot(before.status) && holdsSlot(wanted.status)) await retakeSlot(tx, before, context);
  return updateAppointmentStatus(tx, before.id, wanted);
}

async function move(
  tx: TenantTransaction,
  before: AppointmentRow,
  wanted: AppointmentChange & { wish: Wish },
  { timezone, search }: ChangeContext,
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

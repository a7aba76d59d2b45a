import type { CreateAppointment, FieldFaults } from '@frontdesk/contracts';
import {
  countExactly,
  gateArgs,
  type QuotaGate,
  type TenantReads,
  type TenantScope,
  type TenantTransaction,
} from '@frontdesk/database';
import { invalid, requireQuota, requireStorage } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import type { CustomerLookup } from '../customers/crm.client.ts';
import {
  findBookingCustomer,
  findKnownCustomer,
  insertKnownCustomers,
} from '../customers/customer.repository.ts';
import { type AppointmentRow, appointmentRecord, wishOfRequest } from './appointment.rules.ts';
import type { Actor } from './appointment-history.rules.ts';
import { insertAppointment } from './booking.repository.ts';
import { countCreated, createdToday } from './created-appointments.repository.ts';
import { planUnderLock, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotUnavailable } from './slot-unavailable.ts';

export const DEFAULT_SOURCE = 'api';
const UNKNOWN_CUSTOMER: FieldFaults = {
  customer_id: [{ text: 'The selected customer_id is invalid.', reason: 'customer_gone' }],
};

/** No event has brought the customer yet: crm is asked before the booking is tried again. */
class CustomerNotKnown extends Error {
  override name = 'CustomerNotKnown';
}

/** What a business may add in this UTC day, as it is known before the transaction. */
export interface QuotaLeft {
  /** What the day's appointments are counted by. */
  counter: string;
  /** Whether the business is so far from its quota that nobody has to count. */
  isFar: boolean;
  tenant: Pick<TenantProfile, 'timezone' | 'quotas' | 'storage_full'>;
}

export async function quotaLeftOf(
  scope: TenantScope,
  tenant: QuotaLeft['tenant'],
  gate: QuotaGate,
): Promise<QuotaLeft> {
  const counter = createdToday();
  return {
    counter,
    isFar: await gate.isFar(scope, counter, tenant.quotas.appointments_per_day),
    tenant,
  };
}

/**
 * Books an appointment with the staff member asked for, or else with the one to prefer among those who are free.
 * @param context.inCrm the customer as crm has them, once it was asked; null where it has none
 * @param context.search looks for alternatives after the transaction
 * @throws AppError `validation_failed`, with alternatives where only the time is not offered; `slot_unavailable` with alternatives;
 * `quota_exceeded`.
 * CustomerNotKnown where crm wasn't asked yet.
 */
export async function bookAppointment(
  tx: TenantTransaction,
  wanted: CreateAppointment,
  context: {
    quotaLeft: QuotaLeft;
    search: AlternativesSearch;
    by: Actor;
    inCrm?: number | null | undefined;
  },
): Promise<AppointmentRow> {
  const { quotaLeft, search, by, inCrm } = context;
  const { tenant } = quotaLeft;
  const [customer, planned] = await Promise.all([
    findBooker(tx, inCrm ?? wanted.customer_id, quotaLeft),
    planUnderLock(tx, wishOfRequest(wanted), { timezone: tenant.timezone }),
  ]);
  const customerId = requireBooker(customer, { isAsked: inCrm !== undefined, otherFaults: planned.errors });
  const plan = requirePlan(planned, { search });
  requireRoom(await countToday(tx, customer, quotaLeft), quotaLeft);
  const row = await insertAppointment(tx, plan, {
    customerId,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
    by,
  });
  if (row === null) throw slotUnavailable(search, plan);
  addBooked(tx, row, quotaLeft);
  return row;
}

/** Whom a booking is for, where they are known, and whether the day's appointments have to be counted. */
export interface Booker {
  id: number | null;
  isCounted: boolean;
}

export async function findBooker(
  tx: TenantTransaction,
  id: number,
  { counter, isFar, tenant }: QuotaLeft,
): Promise<Booker> {
  if (!isFar) return { id: await findKnownCustomer(tx, id), isCounted: true };
  const gate = gateArgs(counter, tenant.quotas.appointments_per_day);
  const booker = await findBookingCustomer(tx, id, gate);
  return { id: booker.id, isCounted: !booker.is_open };
}

/**
 * The customer, once there is one.
 * @param context.isAsked whether crm was asked for them
 * @throws CustomerNotKnown where it wasn't; AppError `validation_failed`
 */
export function requireBooker(
  { id }: Booker,
  { isAsked, otherFaults = {} }: { isAsked: boolean; otherFaults?: FieldFaults },
): number {
  if (id !== null) return id;
  if (!isAsked) throw new CustomerNotKnown();
  throw invalid({ ...UNKNOWN_CUSTOMER, ...otherFaults });
}

/** The appointments of the day, which nobody else adds to until the transaction ends; null where nobody has to count. */
export const countToday = async (
  tx: TenantTransaction,
  { isCounted }: Booker,
  { counter, tenant }: QuotaLeft,
): Promise<number | null> =>
  isCounted ? countExactly(tx, counter, tenant.quotas.appointments_per_day) : null;

/** That the business may have one appointment more. @throws AppError `quota_exceeded` */
export function requireRoom(used: number | null, { tenant }: QuotaLeft): void {
  requireStorage(tenant);
  if (used !== null)
    requireQuota('appointments_per_day', { used, allowed: tenant.quotas.appointments_per_day });
}

/** What comes with a new appointment: its event and its place in the counts. */
export function addBooked(tx: TenantTransaction, row: AppointmentRow, { counter }: QuotaLeft): void {
  tx.emit('appointment.created', {
    aggregateId: row.id,
    version: row.version,
    data: appointmentRecord(row),
  });
  countCreated(tx, counter);
}

/**
 * Books, and once more with the customer as crm has them, where no event has brought them yet.
 * @throws AppError `service_unavailable` when crm is away
 */
export async function withCustomerOfCrm<Booked>(
  book: (inCrm?: number | null) => Promise<Booked>,
  { scope, lookup, customerId }: { scope: TenantReads; lookup: CustomerLookup; customerId: number },
): Promise<Booked> {
  try {
    return await book();
  } catch (error) {
    if (!(error instanceof CustomerNotKnown)) throw error;
    return book(await askForCustomer(scope, lookup, customerId));
  }
}

/**
 * The customer with this id, whom no event has brought yet, as crm has them; null where it has none. A yes is cached; a no never, as
 * the customer may be created any moment.
 * @throws AppError `service_unavailable` when crm is away
 */
async function askForCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<number | null> {
  const inCrm = await lookup.find(db.tenantId, customerId);
  if (inCrm !== null) await insertKnownCustomers(db, [inCrm]);
  return inCrm;
}

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
import { type AppointmentRow, appointmentRecord } from './appointment.rules.ts';
import type { Actor } from './appointment-history.rules.ts';
import { insertAppointment } from './booking.repository.ts';
import { countCreated, createdToday } from './created-appointments.repository.ts';
import { holdAndPlan, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotUnavailable } from './slot-unavailable.ts';

const DEFAULT_SOURCE = 'api';
const UNKNOWN_CUSTOMER: FieldFaults = {
  customer_id: [{ text: 'The selected customer_id is invalid.', reason: 'customer_gone' }],
};

/** No event has brought the customer yet: crm is asked before the booking is tried again. */
export class CustomerNotKnown extends Error {
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
  const wish = {
    date: wanted.appointment_date,
    time: wanted.appointment_time,
    serviceId: wanted.service_id,
    staffId: wanted.staff_id ?? null,
    enforcesSlots: wanted.enforce_slots === true,
  };
  const [customer, planned] = await Promise.all([
    findCustomer(tx, inCrm ?? wanted.customer_id, quotaLeft),
    holdAndPlan(tx, wish, { timezone: tenant.timezone }),
  ]);
  if (customer.id === null) {
    if (inCrm === undefined) throw new CustomerNotKnown();
    throw invalid({ ...UNKNOWN_CUSTOMER, ...planned.errors });
  }
  const plan = requirePlan(planned, { search });
  requireStorage(tenant);
  if (customer.isCounted) await requireOneMore(tx, quotaLeft);
  const row = await insertAppointment(tx, plan, {
    customerId: customer.id,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
    by,
  });
  if (row === null) throw slotUnavailable(search, plan);
  tx.emit('appointment.created', {
    aggregateId: row.id,
    version: row.version,
    data: appointmentRecord(row),
  });
  countCreated(tx, quotaLeft.counter);
  return row;
}

/** Whom the booking is for, where they are known, and whether the day's appointments have to be counted. */
async function findCustomer(tx: TenantTransaction, id: number, { counter, isFar, tenant }: QuotaLeft) {
  if (!isFar) return { id: await findKnownCustomer(tx, id), isCounted: true };
  const gate = gateArgs(counter, tenant.quotas.appointments_per_day);
  const booker = await findBookingCustomer(tx, id, gate);
  return { id: booker.id, isCounted: !booker.is_open };
}

/** @throws AppError `quota_exceeded` */
async function requireOneMore(tx: TenantTransaction, { counter, tenant }: QuotaLeft): Promise<void> {
  const allowed = tenant.quotas.appointments_per_day;
  requireQuota('appointments_per_day', { used: await countExactly(tx, counter, allowed), allowed });
}

/**
 * The customer with this id, whom no event has brought yet, as crm has them; null where it has none. A yes is cached; a no never, as
 * the customer may be created any moment.
 * @throws AppError `service_unavailable` when crm is away
 */
export async function askForCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<number | null> {
  const inCrm = await lookup.find(db.tenantId, customerId);
  if (inCrm !== null) await insertKnownCustomers(db, [inCrm]);
  return inCrm;
}

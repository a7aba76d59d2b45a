import type { CreateAppointment, FieldFaults } from '@frontdesk/contracts';
import {
  countExactly,
  gateArgs,
  type QuotaGate,
  type TenantReads,
  type TenantScope,
  type TenantTransaction,
} from '@frontdesk/database';
import { requireQuota, requireStorage } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import type { CustomerLookup } from '../customers/crm.client.ts';
import {
  findBookingCustomer,
  insertKnownCustomer,
  isKnownCustomer,
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
 * @param context.isInCrm what crm has said of the customer, once it was asked
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
    isInCrm?: boolean | undefined;
  },
): Promise<AppointmentRow> {
  const { quotaLeft, search, by, isInCrm } = context;
  const { tenant } = quotaLeft;
  const wish = {
    date: wanted.appointment_date,
    time: wanted.appointment_time,
    serviceId: wanted.service_id,
    staffId: wanted.staff_id ?? null,
    enforcesSlots: wanted.enforce_slots === true,
  };
  const [customer, planned] = await Promise.all([
    findCustomer(tx, wanted.customer_id, quotaLeft),
    holdAndPlan(tx, wish, { timezone: tenant.timezone }),
  ]);
  const isKnown = isInCrm ?? customer.isKnown;
  if (!isKnown && isInCrm === undefined) throw new CustomerNotKnown();
  const plan = requirePlan(planned, { search, others: isKnown ? {} : UNKNOWN_CUSTOMER });
  requireStorage(tenant);
  if (customer.isCounted) await requireOneMore(tx, quotaLeft);
  const row = await insertAppointment(tx, plan, {
    customerId: wanted.customer_id,
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

/** Whether the customer is known, and whether the day's appointments have to be counted. */
async function findCustomer(tx: TenantTransaction, id: number, { counter, isFar, tenant }: QuotaLeft) {
  if (!isFar) return { isKnown: await isKnownCustomer(tx, id), isCounted: true };
  const gate = gateArgs(counter, tenant.quotas.appointments_per_day);
  const { is_known, is_open } = await findBookingCustomer(tx, id, gate);
  return { isKnown: is_known, isCounted: !is_open };
}

/** @throws AppError `quota_exceeded` */
async function requireOneMore(tx: TenantTransaction, { counter, tenant }: QuotaLeft): Promise<void> {
  const allowed = tenant.quotas.appointments_per_day;
  requireQuota('appointments_per_day', { used: await countExactly(tx, counter, allowed), allowed });
}

/**
 * Whether crm has this customer, whom no event has brought yet. A yes is cached; a no never, as the customer may be created any
 * moment.
 * @throws AppError `service_unavailable` when crm is away
 */
export async function askForCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<boolean> {
  const exists = await lookup.exists(db.tenantId, customerId);
  if (exists) await insertKnownCustomer(db, customerId);
  return exists;
}

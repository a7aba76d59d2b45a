import type { CreateCustomer, Customer, FieldFault, FieldFaults } from '@frontdesk/contracts';
import {
  countExactly,
  gateArgs,
  type QuotaGate,
  type TenantScope,
  type TenantTransaction,
} from '@frontdesk/database';
import { parsePhone } from '@frontdesk/phone';
import { invalid, requireQuota, requireStorage } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import {
  findCustomerByPhone,
  findCustomerIdByPhone,
  findNamedCustomers,
  insertCustomer,
  insertCustomerFarFromQuota,
  type NewCustomer,
} from './customer.repository.ts';
import { type CustomerRow, customerRecord, NO_VISITS } from './customer.rules.ts';
import { ALL_CUSTOMERS, countCustomer } from './customer-count.repository.ts';
import { searchTextOf } from './search.rules.ts';

/** What is wrong with a text that is no phone number in this country. */
export const noPhone = (country: string): FieldFaults => ({
  phone: [{ text: 'The phone field must be a phone number.', reason: 'not_phone_number', country }],
});

/** The number in its forms. @throws AppError 422 on `phone` when it is no phone number in this country. */
export function requirePhone(text: string, country: string) {
  const number = parsePhone(text, country);
  if (!number) throw invalid(noPhone(country));
  return number;
}

/** The row that a request asks for. @throws AppError 422 on `phone` when it is no phone number in this country. */
export function newCustomer(body: CreateCustomer, country: string): NewCustomer {
  const number = requirePhone(body.phone, country);
  const email = body.email ?? null;
  return {
    name: body.name,
    phone: body.phone,
    phone_e164: number.e164,
    phone_digits: number.digits,
    email,
    segment: body.segment ?? 'lead',
    pipeline_stage: body.pipeline_stage ?? null,
    notes: body.notes ?? null,
    source: body.source ?? 'api',
    search_text: searchTextOf({ name: body.name, email, phone_digits: number.digits }),
  };
}

/** What a business may add, as it is known before the transaction. */
export interface QuotaLeft {
  /** Its quota; undefined while none is in force. */
  allowed: number | undefined;
  /** Whether it is so far from its quota that nobody has to count. */
  isFar: boolean;
  tenant: Tenant;
}

type Tenant = Pick<TenantProfile, 'quotas' | 'statedQuotas' | 'storage_full'>;

export async function quotaLeftOf(scope: TenantScope, tenant: Tenant, gate: QuotaGate): Promise<QuotaLeft> {
  const allowed = tenant.statedQuotas.customers;
  const isFar = allowed === undefined || (await gate.isFar(scope, ALL_CUSTOMERS, allowed));
  return { allowed, isFar, tenant };
}

export interface CustomerAndVersion {
  record: Customer;
  version: number;
}

/** Adds the customer and its event. @throws AppError 422 on `phone` when the number is taken; `quota_exceeded` */
export async function createCustomer(
  tx: TenantTransaction,
  values: NewCustomer,
  context: { currency: string; quotaLeft: QuotaLeft },
): Promise<CustomerAndVersion> {
  const created = await createUnlessTaken(tx, values, context);
  if (!created) throw invalid({ phone: [await phoneTaken(tx, values.phone_e164)] });
  return created;
}

/** Who has the number; internal ports alone say it. */
export async function phoneTaken(tx: TenantTransaction, e164: string): Promise<FieldFault> {
  const text = 'The phone has already been taken.';
  const id = await findCustomerIdByPhone(tx, e164);
  const [holder] = id === null ? [] : await findNamedCustomers(tx, [id]);
  return holder ? { text, reason: 'phone_taken', customer: { id: holder.id, name: holder.name } } : text;
}

/**
 * Null when somebody has the number, also one whose creation this one had to wait for, and also where there is no quota left for another.
 * @throws AppError `quota_exceeded`
 */
async function createUnlessTaken(
  tx: TenantTransaction,
  values: NewCustomer,
  { currency, quotaLeft }: { currency: string; quotaLeft: QuotaLeft },
): Promise<CustomerAndVersion | null> {
  const row = await insertWithin(tx, values, quotaLeft);
  if (!row) return null;
  const record = customerRecord(row, NO_VISITS, currency);
  tx.emit('customer.created', { aggregateId: row.id, version: row.sequence, data: record });
  countCustomer(tx, { after: row });
  return { record, version: row.version };
}

async function insertWithin(
  tx: TenantTransaction,
  values: NewCustomer,
  { allowed, isFar, tenant }: QuotaLeft,
): Promise<CustomerRow | null> {
  const isTaken = async () => (await findCustomerIdByPhone(tx, values.phone_e164)) !== null;
  if (tenant.storage_full) {
    if (await isTaken()) return null;
    requireStorage(tenant);
  }
  if (allowed === undefined) return insertCustomer(tx, values);
  if (isFar) {
    const row = await insertCustomerFarFromQuota(tx, values, gateArgs(ALL_CUSTOMERS, allowed));
    if (row) return row;
  }
  // Before the count, for which all additions of the business wait; and after it, as one of them may have been this one.
  if (await isTaken()) return null;
  const used = await countExactly(tx, ALL_CUSTOMERS, allowed);
  if (await isTaken()) return null;
  requireQuota('customers', { used, allowed });
  return insertCustomer(tx, values);
}

/**
 * The customer who has the number; one is added, with the event, where nobody has. However many ask at once, one is
 * added.
 * @throws AppError `quota_exceeded`
 */
export async function findOrCreateCustomer(
  tx: TenantTransaction,
  values: NewCustomer,
  context: { currency: string; quotaLeft: QuotaLeft },
): Promise<CustomerAndVersion & { isNew: boolean }> {
  const created = await createUnlessTaken(tx, values, context);
  if (created) return { ...created, isNew: true };
  // The insert has waited for the other transaction's row, so that transaction has committed.
  const row = await findCustomerByPhone(tx, values.phone_e164, context.currency);
  if (!row) throw new Error('The number that was taken is free.');
  return { record: customerRecord(row, row, context.currency), version: row.version, isNew: false };
}

/** Where a customer that a call brought comes from. */
const SOURCE = 'call';

interface ByPhone {
  phone: string;
  /** What a new customer is called; the number as given when left out. */
  name?: string | null | undefined;
  create: boolean;
}

/**
 * The customer with this number, who is made a lead where there is none yet and `create` says so. However many ask at the
 * same moment, the unique index lets one of them create. Most numbers are known: only who is made costs a transaction.
 * @throws AppError 422 on `phone` when it is no phone number in this country; `quota_exceeded`
 */
export async function customerByPhone(
  scope: TenantScope,
  { phone, name, create }: ByPhone,
  tenant: TenantProfile,
  gate: QuotaGate,
): Promise<{ id: number | null; isNew: boolean }> {
  const { country, currency } = tenant;
  const { e164 } = requirePhone(phone, country);
  const known = await findCustomerIdByPhone(scope, e164);
  if (known !== null || !create) return { id: known, isNew: false };

  const values = newCustomer({ name: name ?? phone.trim(), phone, source: SOURCE }, country);
  const quotaLeft = await quotaLeftOf(scope, tenant, gate);
  const created = await scope.transaction((tx) => createUnlessTaken(tx, values, { currency, quotaLeft }));
  if (created) return { id: created.record.id, isNew: true };
  // The faster request has committed: this insert waited for its row.
  return { id: await findCustomerIdByPhone(scope, e164), isNew: false };
}

import type { CreateCustomer, Customer } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { parsePhone } from '@frontdesk/phone';
import { invalid } from '@frontdesk/service';
import { insertCustomer, type NewCustomer } from '../data/customer.repository.ts';
import { countCustomer } from '../data/customer-count.repository.ts';
import { customerRecord, NO_VISITS } from '../domain/customer.ts';
import { searchTextOf } from '../domain/search.ts';

export const NO_PHONE = { phone: ['The phone field must be a phone number.'] };

/** The number in its forms. @throws AppError 422 on `phone` when it is no phone number in this country. */
export function requirePhone(text: string, country: string) {
  const number = parsePhone(text, country);
  if (!number) throw invalid(NO_PHONE);
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

export interface CustomerAndVersion {
  record: Customer;
  version: number;
}

/** Adds the customer and its event. @throws AppError 422 on `phone` when the number is taken. */
export async function createCustomer(
  tx: TenantTransaction,
  values: NewCustomer,
  currency: string,
): Promise<CustomerAndVersion> {
  const created = await createUnlessTaken(tx, values, currency);
  if (!created) throw invalid({ phone: ['The phone has already been taken.'] });
  return created;
}

/** Null when somebody has the number, also one whose creation this one had to wait for. */
export async function createUnlessTaken(
  tx: TenantTransaction,
  values: NewCustomer,
  currency: string,
): Promise<CustomerAndVersion | null> {
  const row = await insertCustomer(tx, values);
  if (!row) return null;
  const record = customerRecord(row, NO_VISITS, currency);
  tx.emit('customer.created', { aggregateId: row.id, version: row.sequence, data: record });
  countCustomer(tx, { after: row });
  return { record, version: row.version };
}

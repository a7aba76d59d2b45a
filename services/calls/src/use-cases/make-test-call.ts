import type { TestCall, testCallBody } from '@frontdesk/contracts';
import type { Database, TenantScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { z } from 'zod';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { noteSourceTest } from '../data/call-source.repository.ts';
import { findCustomerByNumber } from '../data/customer-number.repository.ts';
import type { CallSourceRow } from '../domain/call-source.ts';
import { numberOf } from '../domain/customer-number.ts';
import { readTestCall, testCallRecord } from '../domain/test-call.ts';
import { testMessage } from '../domain/test-message.ts';
import { storeRawMessage } from './store-message.ts';

export interface TestCallDeps {
  database: Database;
  tenants: TenantDirectory;
  customers: CustomerLookup;
  onReceived: () => void;
}

/**
 * Reads a message of a call that nobody made, as the source's provider would send it, and says what it comes to. Nothing is
 * kept or sent, unless it is to be kept: then it is taken in like any other, marked as a test, and never makes a customer. No
 * transaction spans it: crm may be asked.
 * @throws AppError `validation_failed`; for a real one `tenant_suspended`, `rate_limited`
 */
export async function makeTestCall(
  deps: TestCallDeps,
  source: CallSourceRow,
  url: string,
  { from_number, is_real }: z.output<typeof testCallBody>,
): Promise<TestCall> {
  const scope = deps.database.forTenant(source.tenant_id);
  const { country, status, quotas } = await deps.tenants.find(source.tenant_id);
  if (is_real && status === 'suspended')
    throw new AppError('tenant_suspended', 'This business is suspended: no calls are accepted.');
  const fromNumber = from_number?.trim() || null;
  const message = testMessage(source.provider, { fromNumber, now: new Date(), url });
  const { columns, transcript } = readTestCall(source, message);
  const number = numberOf(columns, country);
  if (fromNumber !== null && number === null)
    throw invalid({ from_number: ['The from_number field must be a phone number.'] });
  const found = await findCustomer(deps.customers, scope, number);
  const creates_lead = source.settings.creates_leads && found.customer === 'unknown';
  const outcome = { call: testCallRecord(columns, transcript), ...found, creates_lead };
  if (!is_real) return { ...outcome, message_id: null };

  if (!source.is_active)
    throw invalid({ is_real: ['The source is paused: it accepts no calls until it is resumed.'] });
  const { id } = await storeRawMessage(scope, source.id, { ...message, isTest: true }, quotas);
  await noteSourceTest(scope, source.id);
  deps.onReceived();
  return { ...outcome, message_id: id };
}

type Found = Pick<TestCall, 'customer' | 'customer_id'>;

/** Whose number it is, as a real call would find out; nobody is made by asking. */
async function findCustomer(
  customers: CustomerLookup,
  scope: TenantScope,
  number: string | null,
): Promise<Found> {
  if (number === null) return { customer: 'hidden', customer_id: null };
  try {
    const known = await findCustomerByNumber(scope, number);
    const customer_id = known ?? (await customers.byPhone(scope.tenantId, number, { create: false }));
    return { customer: customer_id === null ? 'unknown' : 'known', customer_id };
  } catch (error) {
    if (error instanceof AppError && error.status >= 500)
      return { customer: 'unavailable', customer_id: null };
    throw error;
  }
}

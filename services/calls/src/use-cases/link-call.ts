import type { Database, TenantTransaction } from '@frontdesk/database';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { lockCall } from '../data/call.repository.ts';
import { findCustomerByNumber } from '../data/customer-number.repository.ts';
import { findCallToLink } from '../data/due-call.repository.ts';
import type { DueRow } from '../data/longest-due.ts';
import { type CustomerAnswer, findLink } from './find-link.ts';
import { writeCall } from './write-call.ts';

/**
 * Links a call that has no customer yet to the one with its number. Crm is asked where the number isn't known here, and
 * no lock is held meanwhile.
 * @throws AppError when crm can't say
 */
export async function linkCall(
  { database, customers }: { database: Database; customers: CustomerLookup },
  { tenant_id, id }: DueRow,
): Promise<void> {
  const scope = database.forTenantInBackground(tenant_id);
  const call = await findCallToLink(scope, id);
  if (!call) return;
  const { customer_number: number, creates_lead: create } = call;
  const isKnown = (await findCustomerByNumber(scope, number)) !== null;
  const answer = isKnown
    ? null
    : { number, customerId: await customers.byPhone(tenant_id, number, { create }) };
  await scope.transaction((tx) => writeLink(tx, id, answer));
}

async function writeLink(tx: TenantTransaction, id: number, answer: CustomerAnswer | null): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call) return;
  const { customer_id, isLinkDue } = await findLink(tx, call, call.customer_number, answer);
  await writeCall(tx, call, { ...call, customer_id }, { isLinkDue });
}

import type { Database, TenantScope } from '@frontdesk/database';
import { parsePhone } from '@frontdesk/phone';
import type { TenantDirectory } from '@frontdesk/tenants';
import { addCustomerNumbers, lockCustomerNumbers } from '../data/customer-number.repository.ts';
import { findUnlinkedCalls } from '../data/due-call.repository.ts';
import { linkCall } from './link-call.ts';

const LINKED_A_TURN = 100;

export interface KnownCustomer {
  tenantId: number;
  id: number;
  phone: string;
}

/** Takes in whose numbers are whose, and links the calls that came before their customer. */
export async function learnCustomers(
  { database, tenants }: { database: Database; tenants: TenantDirectory },
  customers: readonly KnownCustomer[],
): Promise<void> {
  for (const [tenantId, ofTenant] of Map.groupBy(customers, (customer) => customer.tenantId)) {
    const { country } = await tenants.find(tenantId);
    const numbers = new Map(ofTenant.map(({ id, phone }) => [parsePhone(phone, country)?.e164, id]));
    const known = [...numbers].flatMap(([e164, customerId]) => (e164 ? [{ e164, customerId }] : []));
    const e164s = known.map(({ e164 }) => e164);
    const scope = database.forTenant(tenantId);
    await scope.transaction(async (tx) => {
      await lockCustomerNumbers(tx, e164s);
      await addCustomerNumbers(tx, known);
    });
    // Only now, and call by call: who holds a call may wait for a number, so who holds a number waits for no call.
    await linkWaiting(scope, e164s);
  }
}

async function linkWaiting(scope: TenantScope, numbers: string[]): Promise<void> {
  for (;;) {
    const ids = await findUnlinkedCalls(scope, numbers, LINKED_A_TURN);
    for (const id of ids) await scope.transaction((tx) => linkCall(tx, id, null));
    if (ids.length < LINKED_A_TURN) return;
  }
}

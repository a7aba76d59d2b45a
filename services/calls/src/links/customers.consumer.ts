import type { Database } from '@frontdesk/database';
import { saveMerges } from '@frontdesk/merges';
import { parsePhone } from '@frontdesk/phone';
import { AppError, ImpossibleRecordError, type ServiceClient } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { createProjection, type Wiring } from '@frontdesk/wiring';
import { markUnlinkedCalls } from '../calls/due-call.repository.ts';
import { lockCustomerNumbers, saveCustomerNumbers } from './customer-number.repository.ts';

/** `customer_numbers`: whose number is whose, and who has become part of whom, as crm owns it. */
export const customersProjection = (wiring: Wiring, crm: ServiceClient, deps: LearnDeps) =>
  createProjection(wiring, {
    name: 'customers',
    topic: 'customers',
    owner: crm,
    store: (entries) =>
      learnCustomers(
        deps,
        entries.map((entry) => ({
          tenantId: entry.tenant_id,
          id: entry.aggregate_id,
          phone: entry.data.phone,
          version: entry.aggregate_version,
          mergedInto: 'merged_into' in entry.data ? entry.data.merged_into : null,
        })),
      ),
  });

interface LearnDeps {
  database: Database;
  tenants: TenantDirectory;
  /** There are calls to link. */
  onLinkDue: () => void;
  /** There are calls to rewrite. */
  onMerged: () => void;
}

interface LearntCustomer {
  tenantId: number;
  id: number;
  phone: string;
  version: number;
  /** The customer that this one has become part of. */
  mergedInto: number | null;
}

/** Takes in whose numbers are whose and who was merged, and has the calls that came before their customer linked. */
async function learnCustomers(
  { database, tenants, onLinkDue, onMerged }: LearnDeps,
  customers: readonly LearntCustomer[],
): Promise<void> {
  for (const [tenantId, ofTenant] of Map.groupBy(customers, (customer) => customer.tenantId)) {
    const { country } = await tenants.find(tenantId).catch(unknownIsFinal);
    const known = ofTenant.map(({ id, phone, version }) => {
      return { id, version, e164: parsePhone(phone, country)?.e164 ?? null };
    });
    const merges = ofTenant.flatMap(({ id, mergedInto }) =>
      mergedInto === null ? [] : [{ id, mergedInto }],
    );
    const e164s = known.flatMap(({ e164 }) => e164 ?? []);
    const scope = database.forTenantInBackground(tenantId);
    await scope.transaction(async (tx) => {
      await lockCustomerNumbers(
        tx,
        e164s,
        known.map(({ id }) => id),
      );
      await saveMerges(tx, merges);
      await saveCustomerNumbers(tx, known);
    });
    if (merges.length > 0) onMerged();
    // Only now: who holds a call may wait for a number, so who holds a number waits for no call.
    let hasMore = true;
    while (hasMore) hasMore = await markUnlinkedCalls(scope, e164s);
  }
  onLinkDue();
}

/** A tenant is there before its customers are: one that the gateway doesn't know by now it never will. */
function unknownIsFinal(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found')
    throw new ImpossibleRecordError('its tenant is unknown');
  throw error;
}

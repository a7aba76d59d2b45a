import type { Database } from '@frontdesk/database';
import type { SnapshotOf } from '@frontdesk/events';
import { saveMerges } from '@frontdesk/merges';
import type { ServiceClient } from '@frontdesk/service';
import { createProjection, type Wiring } from '@frontdesk/wiring';
import { insertKnownCustomers, saveCustomers } from './customer.repository.ts';

/**
 * Who is a customer of whom, and who has become part of whom, as crm owns it.
 * @param deps.onMerged there are appointments to rewrite
 */
export const customersProjection = (wiring: Wiring, crm: ServiceClient, deps: { onMerged: () => void }) =>
  createProjection(wiring, {
    name: 'customers',
    topic: 'customers',
    owner: crm,
    async store(entries) {
      const { database } = wiring;
      if (await learnMerges(database, entries)) deps.onMerged();
      await saveCustomers(database.system, entries);
    },
  });

/** @returns whether there were any */
async function learnMerges(
  database: Database,
  entries: readonly SnapshotOf<'customers'>[],
): Promise<boolean> {
  const merges = entries.flatMap(({ tenant_id, data }) =>
    'merged_into' in data ? [{ tenantId: tenant_id, id: data.id, mergedInto: data.merged_into }] : [],
  );
  for (const [tenantId, ofTenant] of Map.groupBy(merges, (merge) => merge.tenantId)) {
    await database.forTenantInBackground(tenantId).transaction(async (tx) => {
      // Appointments refer to their customers, whose own event may yet have to come.
      await insertKnownCustomers(
        tx,
        ofTenant.map(({ mergedInto }) => mergedInto),
      );
      await saveMerges(tx, ofTenant);
    });
  }
  return merges.length > 0;
}

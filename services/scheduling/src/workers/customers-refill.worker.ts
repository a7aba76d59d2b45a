import { customerListEntry, snapshotEntry } from '@frontdesk/contracts';
import { type Database, projectionState } from '@frontdesk/database';
import { createRefill, type Refill } from '@frontdesk/events';
import type { Logger, ServiceClient } from '@frontdesk/service';
import { z } from 'zod';
import { storeCustomers } from '../data/customer.repository.ts';

const page = z.array(snapshotEntry(customerListEntry));

/** Fills the empty projection of customers, and one that Kafka has lost something of, with those that crm holds. */
export function customersRefill(deps: { database: Database; crm: ServiceClient; logger: Logger }): Refill {
  const { database, crm, logger } = deps;
  return createRefill({
    name: 'customers',
    state: projectionState(database, 'customers'),
    fetchPage: ({ tenantId, id }) =>
      crm.request({
        method: 'GET',
        path: `/internal/snapshots/customers?after_tenant=${tenantId}&after_id=${id}`,
        schema: page,
      }),
    apply: (entries) =>
      storeCustomers(
        database.system,
        entries.map((entry) => ({
          tenantId: entry.tenant_id,
          id: entry.aggregate_id,
          version: entry.aggregate_version,
        })),
      ),
    logger,
  });
}

import { customerListEntry } from '@frontdesk/contracts';
import { type Database, projectionState } from '@frontdesk/database';
import { createRefill, type Refill, snapshotPages } from '@frontdesk/events';
import type { DeadLetters, Logger, ServiceClient } from '@frontdesk/service';
import { storeCustomers } from '../data/customer.repository.ts';

/** Fills the empty projection of customers, and one that Kafka has lost something of, with those that crm holds. */
export function customersRefill(deps: {
  database: Database;
  crm: ServiceClient;
  deadLetters: DeadLetters;
  logger: Logger;
}): Refill {
  const { database, crm, deadLetters, logger } = deps;
  const fetchPage = snapshotPages(crm, 'customers', customerListEntry);
  return createRefill({
    name: 'customers',
    state: projectionState(database, 'customers'),
    fetchPage,
    apply: (entries) =>
      storeCustomers(
        database.system,
        entries.map((entry) => ({
          tenantId: entry.tenant_id,
          id: entry.aggregate_id,
          version: entry.aggregate_version,
        })),
      ),
    deadLetters,
    logger,
  });
}

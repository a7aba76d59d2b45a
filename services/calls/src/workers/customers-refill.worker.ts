import { customerListEntry } from '@frontdesk/contracts';
import { projectionState } from '@frontdesk/database';
import { createRefill, type Refill, snapshotPages } from '@frontdesk/events';
import type { DeadLetters, Logger, ServiceClient } from '@frontdesk/service';
import { type LearnDeps, learnCustomers } from '../use-cases/learn-customers.ts';

/** Fills empty `customer_numbers`, and those that Kafka has lost something of, from the customers that crm holds. */
export function customersRefill(
  deps: LearnDeps & { crm: ServiceClient; deadLetters: DeadLetters; logger: Logger },
): Refill {
  const { database, crm, deadLetters, logger } = deps;
  const fetchPage = snapshotPages(crm, 'customers', customerListEntry);
  return createRefill({
    name: 'customers',
    state: projectionState(database, 'customers'),
    fetchPage,
    apply: (entries) =>
      learnCustomers(
        deps,
        entries.map((entry) => ({
          tenantId: entry.tenant_id,
          id: entry.aggregate_id,
          phone: entry.data.phone,
        })),
      ),
    deadLetters,
    logger,
  });
}

import { customerListEntry, snapshotEntry } from '@frontdesk/contracts';
import { projectionState } from '@frontdesk/database';
import { createRefill, type Refill } from '@frontdesk/events';
import type { Logger, ServiceClient } from '@frontdesk/service';
import { z } from 'zod';
import { type LearnDeps, learnCustomers } from '../use-cases/learn-customers.ts';

const page = z.array(snapshotEntry(customerListEntry));

/** Fills empty `customer_numbers`, and those that Kafka has lost something of, from the customers that crm holds. */
export function customersRefill(deps: LearnDeps & { crm: ServiceClient; logger: Logger }): Refill {
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
      learnCustomers(
        deps,
        entries.map((entry) => ({
          tenantId: entry.tenant_id,
          id: entry.aggregate_id,
          phone: entry.data.phone,
        })),
      ),
    logger,
  });
}

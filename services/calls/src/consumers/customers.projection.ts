import { type Chassis, createProjection } from '@frontdesk/chassis';
import type { ServiceClient } from '@frontdesk/service';
import { type LearnDeps, learnCustomers } from '../use-cases/learn-customers.ts';

/** `customer_numbers`: whose number is whose, as crm owns it. */
export const customersProjection = (chassis: Chassis, crm: ServiceClient, deps: LearnDeps) =>
  createProjection(chassis, {
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
        })),
      ),
  });

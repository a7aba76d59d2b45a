import { type Chassis, createProjection } from '@frontdesk/chassis';
import type { ServiceClient } from '@frontdesk/service';
import { saveCustomers } from '../data/customer.repository.ts';

/** Who is a customer of whom, as crm owns it. */
export const customersProjection = (chassis: Chassis, crm: ServiceClient) =>
  createProjection(chassis, {
    name: 'customers',
    topic: 'customers',
    owner: crm,
    store: (entries) => saveCustomers(chassis.database.system, entries),
  });

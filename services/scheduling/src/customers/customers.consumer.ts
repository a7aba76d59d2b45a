import type { ServiceClient } from '@frontdesk/service';
import { createProjection, type Wiring } from '@frontdesk/wiring';
import { saveCustomers } from './customer.repository.ts';

/** Who is a customer of whom, as crm owns it. */
export const customersProjection = (wiring: Wiring, crm: ServiceClient) =>
  createProjection(wiring, {
    name: 'customers',
    topic: 'customers',
    owner: crm,
    store: (entries) => saveCustomers(wiring.database.system, entries),
  });

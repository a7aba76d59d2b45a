import { sharedMigrations } from '@frontdesk/database';
import { tenantsMigration } from '@frontdesk/tenants';
import { CreateCustomers1767225600000 } from './create-customers.ts';
import { CreateVisits1767225600001 } from './create-visits.ts';

export const migrations = [
  ...sharedMigrations,
  tenantsMigration,
  CreateCustomers1767225600000,
  CreateVisits1767225600001,
];

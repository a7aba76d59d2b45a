import { projectionsMigration, sharedMigrations } from '@frontdesk/database';
import { tenantsMigration } from '@frontdesk/tenants';
import { CreateCustomers1790000200001 } from './create-customers.ts';
import { CreateVisits1790000200002 } from './create-visits.ts';
import { IndexCustomersByUpdate1790000200003 } from './index-customers-by-update.ts';

export const migrations = [
  ...sharedMigrations,
  projectionsMigration,
  tenantsMigration,
  CreateCustomers1790000200001,
  CreateVisits1790000200002,
  IndexCustomersByUpdate1790000200003,
];

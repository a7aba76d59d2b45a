import { addColumn, projectionsMigration, setAutovacuum, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { CountCustomersByFilter1790000200005 } from './count-customers-by-filter.ts';
import { CoverVisits1790000200007 } from './cover-visits.ts';
import { CreateCustomers1790000200001 } from './create-customers.ts';
import { CreateVisits1790000200002 } from './create-visits.ts';
import { FoldSearchText1790000200004 } from './fold-search-text.ts';
import { IndexCustomersByGrams1790000200006 } from './index-customers-by-grams.ts';
import { IndexCustomersByUpdate1790000200003 } from './index-customers-by-update.ts';
import { WalkSearchText1790000200008 } from './walk-search-text.ts';

export const migrations = [
  ...sharedMigrations,
  projectionsMigration,
  ...tenantsMigrations,
  CreateCustomers1790000200001,
  CreateVisits1790000200002,
  IndexCustomersByUpdate1790000200003,
  FoldSearchText1790000200004,
  CountCustomersByFilter1790000200005,
  IndexCustomersByGrams1790000200006,
  CoverVisits1790000200007,
  WalkSearchText1790000200008,
  setAutovacuum('SetAutovacuum1790000200009', ['customers', 'visits']),
  addColumn('CountChangesOfTotals1790000200010', 'customers', {
    name: 'totals_version',
    type: 'bigint not null default 0',
  }),
];

import { addColumn, addIndex, projectionsBaseline, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { mergedCustomersMigrations } from '@frontdesk/wiring';
import { FOLDED_NAME } from '../customers/search.rules.ts';
import { baseline } from './baseline.ts';

export const migrations = [
  ...sharedMigrations,
  projectionsBaseline,
  ...tenantsMigrations,
  ...mergedCustomersMigrations,
  baseline,
  addColumn('CountChangesOfTotals1790000200010', 'customers', {
    name: 'totals_version',
    type: 'bigint not null default 0',
  }),
  addIndex('IndexCustomersByName1790000200011', {
    name: 'customers_by_name',
    on: `customers (tenant_id, (${FOLDED_NAME}), id)`,
  }),
];

import { addColumn, addIndex, projectionsBaseline, sharedMigrations } from '@frontdesk/database';
import { mergedCustomersMigrations } from '@frontdesk/merges';
import { tenantsMigrations } from '@frontdesk/tenants';
import { FOLDED_NAME } from '../customers/search.rules.ts';
import { baseline } from './baseline.ts';
import { KeepNumbersOfMerged1790000200012 } from './keep-numbers-of-merged.ts';

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
  KeepNumbersOfMerged1790000200012,
  addIndex('IndexMergedByNumber1790000200013', {
    name: 'merged_customers_by_phone',
    on: 'merged_customers (tenant_id, phone_e164)',
  }),
];

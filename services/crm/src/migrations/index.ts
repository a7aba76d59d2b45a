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
  // The number that goes on leading to the customer whom a merged one is part of; and the sequence of `customer.merged`.
  addColumn('KeepPhonesOfMerged1790000200012', 'merged_customers', {
    name: 'phone',
    type: "text not null default ''",
  }),
  addColumn('KeepNumbersOfMerged1790000200013', 'merged_customers', {
    name: 'phone_e164',
    type: "text not null default ''",
  }),
  addColumn('KeepVersionsOfMerged1790000200014', 'merged_customers', {
    name: 'version',
    type: 'bigint not null default 0',
  }),
  addIndex('IndexMergedByNumber1790000200015', {
    name: 'merged_customers_by_phone',
    on: 'merged_customers (tenant_id, phone_e164)',
  }),
];

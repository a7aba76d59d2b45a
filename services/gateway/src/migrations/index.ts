import { addColumn, type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { baseline } from './baseline.ts';
import { CountKeyUse1790000001009, indexExpiringKeys, ScopeKeys1790000001007 } from './scope-keys.ts';
import { SettleQuotas1790000001006 } from './settle-quotas.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  baseline,
  SettleQuotas1790000001006,
  ScopeKeys1790000001007,
  // A process of the release before revokes without a new one: a revoked key is changed no more.
  addColumn('VersionKeys1790000001008', 'api_keys', { name: 'version', type: 'int not null default 1' }),
  CountKeyUse1790000001009,
  indexExpiringKeys,
];

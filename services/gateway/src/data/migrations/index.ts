import { type MigrationClass, setAutovacuum, sharedMigrations } from '@frontdesk/database';
import { CreateApiKeys1790000001002 } from './create-api-keys.ts';
import { CreateTenants1790000001001 } from './create-tenants.ts';
import { IndexTenantsByUpdate1790000001005 } from './index-tenants-by-update.ts';
import { RaiseQuotas1790000001003 } from './raise-quotas.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  CreateTenants1790000001001,
  CreateApiKeys1790000001002,
  RaiseQuotas1790000001003,
  setAutovacuum('SetAutovacuum1790000001004', ['tenants', 'api_keys']),
  IndexTenantsByUpdate1790000001005,
];

import type { Migration, QueryRunner } from '@frontdesk/database';

/** For operators who sort tenants by their latest change, or poll with `updated_since`. */
export class IndexTenantsByUpdate1790000001005 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index tenants_by_update on tenants (updated_at, tenant_id)');
  }
}

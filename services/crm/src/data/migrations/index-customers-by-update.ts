import type { Migration, QueryRunner } from '@frontdesk/database';

/** For those who poll with `updated_since`. */
export class IndexCustomersByUpdate1790000200003 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index customers_by_update on customers (tenant_id, updated_at, id)');
  }
}

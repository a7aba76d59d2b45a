import { addIndex, type Migration, type QueryRunner, setAutovacuum } from '@frontdesk/database';

/**
 * Which customer was merged into which: in crm, which merges them, and in services that keep a customer's id in rows of their own.
 * `merged_into` is the customer who remains, also where that took several merges.
 */
class CreateMergedCustomers1790000000041 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table merged_customers (
        tenant_id bigint not null,
        id bigint not null,
        merged_into bigint not null,
        merged_at timestamptz not null default now(),
        -- Null once no row can name the customer any more.
        rewrite_due_at timestamptz default now(),
        primary key (tenant_id, id)
      );
      ${setAutovacuum(['merged_customers'])}`);
  }
}

export const mergedCustomersMigrations = [
  CreateMergedCustomers1790000000041,
  addIndex('IndexMergedCustomersByTarget1790000000042', {
    name: 'merged_customers_by_target',
    on: 'merged_customers (tenant_id, merged_into)',
  }),
  addIndex('IndexMergedCustomersByRewrite1790000000043', {
    name: 'merged_customers_by_rewrite',
    on: 'merged_customers (rewrite_due_at) where rewrite_due_at is not null',
  }),
] as const;

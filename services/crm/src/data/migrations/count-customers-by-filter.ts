import type { Migration, QueryRunner } from '@frontdesk/database';

/** Totals of filtered lists, and an index for both filters at once. */
export class CountCustomersByFilter1790000200005 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('lock table customers in share row exclusive mode');
    await runner.query(`
      insert into counts (tenant_id, counter, delta)
      select tenant_id, 'customers/' || segment, count(*) from customers group by tenant_id, segment
      union all
      select tenant_id, 'customers/' || segment || '/' || pipeline_stage, count(*) from customers
      where pipeline_stage is not null group by tenant_id, segment, pipeline_stage`);
    await runner.query(`
      create index customers_by_segment_and_stage on customers (tenant_id, segment, pipeline_stage, id)
      where pipeline_stage is not null`);
  }
}

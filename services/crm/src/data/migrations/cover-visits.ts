import type { Migration, QueryRunner } from '@frontdesk/database';

/** Adding up the many visits of one customer reads the index alone. */
export class CoverVisits1790000200007 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index visits_of_customer on visits (tenant_id, customer_id)
      include (status, currency, price_minor, date)`);
    await runner.query('drop index visits_by_customer');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `calls_by_start_and_test` has its entries too.
 */
export class DropCallsByStart1790000000208 implements MigrationInterface {
  name = 'DropCallsByStart1790000000208';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index calls_by_start');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_by_start on calls
        (tenant_id, started_at, id, sentiment, is_missed, outcome, direction, customer_id) where is_complete`);
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * `calls_by_start_and_test` has its entries too.
 */
export class DropCallsByStart1790000000208 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index calls_by_start');
  }
}

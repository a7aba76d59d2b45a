import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * The statistics leave tests out, and still read an index alone. Alone in its transaction, as is what follows: messages are stored
 * while it is built, and what reads calls goes on.
 */
export class IndexTests1790000000207 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_by_start_and_test on calls
        (tenant_id, started_at, id, sentiment, is_missed, outcome, direction, customer_id, is_test) where is_complete`);
  }
}

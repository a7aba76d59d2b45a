import type { Migration, QueryRunner } from '@frontdesk/database';

/** The list by source. Alone in its transaction, as messages are stored while it is built. */
export class IndexCallsBySource1790000000214 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_by_source on calls
        (tenant_id, source_id, started_at, id, sentiment, is_missed, outcome, direction, customer_id) where is_complete`);
  }
}

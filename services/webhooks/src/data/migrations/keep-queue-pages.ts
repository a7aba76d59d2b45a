import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * The queue keeps its pages when it is empty. It fills within seconds, and a plan that was made for no pages at all would read it
 * whole until PostgreSQL looks again; one for empty pages takes an index.
 */
export class KeepQueuePages1790000000120 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_queue set (vacuum_truncate = off)');
  }
}

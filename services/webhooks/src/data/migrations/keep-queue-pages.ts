import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The queue keeps its pages when it is empty. It fills within seconds, and a plan that was made for no pages at all would read it
 * whole until PostgreSQL looks again; one for empty pages takes an index.
 */
export class KeepQueuePages1790000000120 implements MigrationInterface {
  name = 'KeepQueuePages1790000000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_queue set (vacuum_truncate = off)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_queue reset (vacuum_truncate)');
  }
}

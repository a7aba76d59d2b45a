import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that a test of a source made. */
export class MarkTestMessages1790000000209 implements MigrationInterface {
  name = 'MarkTestMessages1790000000209';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_messages add column is_test boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_messages drop column is_test');
  }
}

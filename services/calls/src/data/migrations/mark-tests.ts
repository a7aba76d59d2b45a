import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls and messages that a test of a source made. In the order in which a message is read: it is held before its call. */
export class MarkTests1790000000206 implements MigrationInterface {
  name = 'MarkTests1790000000206';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['call_messages', 'calls'])
      await runner.query(`alter table ${table} add column is_test boolean not null default false`);
    await runner.query('alter table call_sources add column last_test_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['call_messages', 'calls'])
      await runner.query(`alter table ${table} drop column is_test`);
    await runner.query('alter table call_sources drop column last_test_at');
  }
}

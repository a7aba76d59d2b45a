import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a source was last tested. */
export class NoteTests1790000000210 implements MigrationInterface {
  name = 'NoteTests1790000000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_sources add column last_test_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_sources drop column last_test_at');
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

/** When a source was last tested. */
export class NoteTests1790000000210 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_sources add column last_test_at timestamptz');
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

/** Messages that a test of a source made. */
export class MarkTestMessages1790000000209 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_messages add column is_test boolean not null default false');
  }
}

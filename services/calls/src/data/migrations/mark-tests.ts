import type { Migration, QueryRunner } from '@frontdesk/database';

/** Calls that a test of a source made. Each table alone in its transaction: running processes hold several, in any order. */
export class MarkTests1790000000206 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table calls add column is_test boolean not null default false');
  }
}

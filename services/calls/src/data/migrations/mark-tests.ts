import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls and messages that a test of a source made. The statistics leave them out, and still read an index alone. */
export class MarkTests1790000000206 implements MigrationInterface {
  name = 'MarkTests1790000000206';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['calls', 'call_messages'])
      await runner.query(`alter table ${table} add column is_test boolean not null default false`);
    await runner.query('alter table call_sources add column last_test_at timestamptz');
    await runner.query(`
      create index calls_by_start_and_test on calls
        (tenant_id, started_at, id, sentiment, is_missed, outcome, direction, customer_id, is_test) where is_complete`);
    await runner.query('drop index calls_by_start');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_by_start on calls
        (tenant_id, started_at, id, sentiment, is_missed, outcome, direction, customer_id) where is_complete`);
    await runner.query('drop index calls_by_start_and_test');
    await runner.query('alter table call_sources drop column last_test_at');
    for (const table of ['calls', 'call_messages'])
      await runner.query(`alter table ${table} drop column is_test`);
  }
}

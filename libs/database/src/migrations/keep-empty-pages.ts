import type { Migration, QueryRunner } from './migration.ts';

/** All that these tables hold may leave them. They keep their pages then, so that no plan is made for an empty file. */
const EMPTIED = ['outbox', 'idempotency_keys'];

export class KeepEmptyPages1790000000011 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await runner.query(`alter table ${table} set (vacuum_truncate = off)`);
  }
}

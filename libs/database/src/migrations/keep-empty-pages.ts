import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All that these tables hold may leave them. They keep their pages then, so that no plan is made for an empty file. */
const EMPTIED = ['outbox', 'idempotency_keys'];

export class KeepEmptyPages1790000000011 implements MigrationInterface {
  name = 'KeepEmptyPages1790000000011';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await runner.query(`alter table ${table} set (vacuum_truncate = off)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await runner.query(`alter table ${table} reset (vacuum_truncate)`);
  }
}

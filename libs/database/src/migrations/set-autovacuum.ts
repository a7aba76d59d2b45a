import type { MigrationInterface, QueryRunner } from 'typeorm';
import { resetAutovacuumThresholds, setAutovacuumThresholds } from './autovacuum-settings.ts';

const TABLES = ['outbox', 'idempotency_keys', 'counts'];
/** What leaves them after a while may be all that they hold. They keep their pages then, so that no plan is made for an empty file. */
const EMPTIED = ['outbox', 'idempotency_keys'];

export class SetAutovacuum1790000000010 implements MigrationInterface {
  name = 'SetAutovacuum1790000000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(setAutovacuumThresholds(table));
    for (const table of EMPTIED) await runner.query(`alter table ${table} set (vacuum_truncate = off)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await runner.query(`alter table ${table} reset (vacuum_truncate)`);
    for (const table of TABLES) await runner.query(resetAutovacuumThresholds(table));
  }
}

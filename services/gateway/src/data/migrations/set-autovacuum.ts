import { resetAutovacuumThresholds, setAutovacuumThresholds } from '@frontdesk/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['tenants', 'api_keys'];

export class SetAutovacuum1790000001004 implements MigrationInterface {
  name = 'SetAutovacuum1790000001004';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(setAutovacuumThresholds(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(resetAutovacuumThresholds(table));
  }
}

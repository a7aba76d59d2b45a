import { resetAutovacuumThresholds, setAutovacuumThresholds } from '@frontdesk/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['customers', 'visits'];

export class SetAutovacuum1790000200009 implements MigrationInterface {
  name = 'SetAutovacuum1790000200009';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(setAutovacuumThresholds(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(resetAutovacuumThresholds(table));
  }
}

import { resetAutovacuumThresholds, setAutovacuumThresholds } from '@frontdesk/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['calls', 'call_messages', 'call_patches', 'call_transcripts', 'customer_numbers'];

export class SetAutovacuum1790000000211 implements MigrationInterface {
  name = 'SetAutovacuum1790000000211';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(setAutovacuumThresholds(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(resetAutovacuumThresholds(table));
  }
}

import { resetAutovacuumThresholds, setAutovacuumThresholds } from '@frontdesk/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'appointments',
  'customers',
  'services',
  'staff',
  'staff_services',
  'working_hours',
  'dated_hours',
  'time_off',
];

export class SetAutovacuum1790000100006 implements MigrationInterface {
  name = 'SetAutovacuum1790000100006';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(setAutovacuumThresholds(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(resetAutovacuumThresholds(table));
  }
}

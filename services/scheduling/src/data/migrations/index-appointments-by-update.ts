import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For those who poll with `updated_since`. */
export class IndexAppointmentsByUpdate1790000100003 implements MigrationInterface {
  name = 'IndexAppointmentsByUpdate1790000100003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index appointments_by_update on appointments (tenant_id, updated_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index appointments_by_update');
  }
}

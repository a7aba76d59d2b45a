import type { Migration, QueryRunner } from '@frontdesk/database';

/** For those who poll with `updated_since`. */
export class IndexAppointmentsByUpdate1790000100003 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index appointments_by_update on appointments (tenant_id, updated_at, id)');
  }
}

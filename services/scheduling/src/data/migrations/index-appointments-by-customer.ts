import type { Migration, QueryRunner } from '@frontdesk/database';

/** For the list of one customer's appointments. */
export class IndexAppointmentsByCustomer1790000100007 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index appointments_of_customer on appointments (tenant_id, customer_id, starts_at desc, id)',
    );
  }
}

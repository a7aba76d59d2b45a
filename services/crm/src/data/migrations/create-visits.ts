import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateVisits1790000200002 implements Migration {
  /** No foreign key to customers: a projection takes events in whatever order they come. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table visits (
        tenant_id bigint not null,
        appointment_id bigint not null,
        customer_id bigint not null,
        status text not null,
        price_minor bigint not null,
        currency text not null,
        date date not null,
        version bigint not null,
        primary key (tenant_id, appointment_id)
      )`);
    await runner.query('create index visits_by_customer on visits (tenant_id, customer_id)');
  }
}

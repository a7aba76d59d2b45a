import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateCustomerNumbers1790000000204 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table customer_numbers (
        tenant_id bigint not null,
        e164 text not null,
        customer_id bigint not null,
        primary key (tenant_id, e164)
      )`);
  }
}

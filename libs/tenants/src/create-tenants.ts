import type { Migration, QueryRunner } from '@frontdesk/database';

/** The projection of `tenant.*`, for services that the tenants don't belong to. */
export class CreateTenants1790000000004 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table tenants (
        tenant_id bigint primary key,
        name text not null,
        plan text not null,
        status text not null,
        timezone text not null,
        country text not null,
        currency text not null,
        version bigint not null
      )`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RaiseQuotas1790000001003 implements MigrationInterface {
  name = 'RaiseQuotas1790000001003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table tenants add column raised_quotas jsonb not null default '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants drop column raised_quotas');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null until an event brings quotas: the plan's apply. */
export class AddQuotas1790000000007 implements MigrationInterface {
  name = 'AddQuotas1790000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants add column quotas jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants drop column quotas');
  }
}

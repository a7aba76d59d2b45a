import type { Migration, QueryRunner } from '@frontdesk/database';

/** Null until an event brings quotas: the plan's apply. */
export class AddQuotas1790000000007 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants add column quotas jsonb');
  }
}

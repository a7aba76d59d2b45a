import type { Migration, QueryRunner } from '@frontdesk/database';

export class RaiseQuotas1790000001003 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table tenants add column raised_quotas jsonb not null default '{}'");
  }
}

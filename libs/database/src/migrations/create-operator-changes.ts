import type { Migration, QueryRunner } from './migration.ts';

/** What operators have changed in businesses, until settings-ui has it in the audit logs. */
export class CreateOperatorChanges1790000000031 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operator_changes (
        tenant_id bigint not null,
        id bigint generated always as identity,
        at timestamptz not null default clock_timestamp(),
        actor text,
        action text not null,
        subject text not null,
        outcome text not null check (outcome in ('started', 'done', 'refused')),
        primary key (tenant_id, id)
      )`);
    await runner.query('create unique index operator_changes_by_id on operator_changes (id)');
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateAuditLog1790000600002 implements Migration {
  /** No foreign key to admin_users: what somebody did outlives them. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_log (
        tenant_id bigint not null,
        id bigint generated always as identity,
        at timestamptz not null default clock_timestamp(),
        actor text not null,
        address text,
        action text not null,
        subject text not null,
        outcome text not null default 'started' check (outcome in ('started', 'done', 'refused')),
        primary key (tenant_id, id)
      )`);
  }
}

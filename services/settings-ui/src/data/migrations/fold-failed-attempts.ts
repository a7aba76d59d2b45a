import type { Migration, QueryRunner } from '@frontdesk/database';

export class FoldFailedAttempts1790000600011 implements Migration {
  /** Failures of one admin in one hour are one entry, with their number and the time of the last one. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_log
        add column count int not null default 1,
        add column last_at timestamptz,
        add column folded_hour timestamptz`);
    await runner.query(`
      create unique index audit_log_folded_unique on audit_log (tenant_id, actor, action, folded_hour)
      where folded_hour is not null`);
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Emails that wait, are on their way, or were sent. One about an account, which may be of several businesses, has no
 * tenant.
 */
export class CreateEmails1790000600041 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table emails (
        id bigint generated always as identity primary key,
        tenant_id bigint,
        kind text not null,
        recipient text not null,
        -- Of what a business tells its members: whose address it is. It is not sent to who is none any more.
        account_id bigint,
        -- Of kinds that are folded: what happens meanwhile goes into the email that waits under it.
        fold_key text,
        -- What it tells of, the latest last; count says how often it happened.
        details jsonb not null,
        count int not null default 1,
        made_at timestamptz not null default now(),
        -- A process that works on it moves this on, so that no other one does.
        due_at timestamptz not null default now(),
        -- When it was due first, or the latest that it tells of happened: it is given up so long after that.
        wanted_at timestamptz not null default now(),
        composed_at timestamptz,
        -- Whether a process without a mail server has kept it for operators.
        was_kept boolean not null default false,
        sealed text,
        -- When the link in it is over. Null without one.
        expires_at timestamptz,
        subject text,
        attempts int not null default 0,
        last_error text,
        sent_at timestamptz,
        failed_at timestamptz
      )`);
    await runner.query(`
      create unique index emails_folded_unique on emails (tenant_id, fold_key) nulls not distinct
        where composed_at is null and failed_at is null and fold_key is not null;
      create index emails_by_fold_key on emails (tenant_id, fold_key, composed_at) where fold_key is not null;
      create index emails_due on emails (due_at) where sent_at is null and failed_at is null;
      create index emails_wanted on emails (wanted_at);
      create index emails_over on emails (expires_at) where sealed is not null and expires_at is not null;
      create index emails_failed on emails (failed_at) where failed_at is not null`);
  }
}

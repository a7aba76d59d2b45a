import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateInvitations1790000600003 implements Migration {
  /** With an admin go the invitations they made: a link they kept opens nothing. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table admin_invitations (
        tenant_id bigint not null,
        id bigint generated always as identity,
        email text not null,
        email_folded text not null,
        token_hash text not null constraint admin_invitations_token_unique unique,
        invited_by bigint not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (tenant_id, id),
        constraint admin_invitations_email_unique unique (tenant_id, email_folded),
        foreign key (tenant_id, invited_by) references admin_users (tenant_id, id) on delete cascade
      )`);
  }
}

import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateAdminUsers1790000600001 implements Migration {
  /** Who signs in names no tenant, so an address belongs to one admin of the whole system. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table admin_users (
        tenant_id bigint not null,
        id bigint generated always as identity,
        email text not null,
        email_folded text not null constraint admin_users_email_unique unique,
        password_hash text not null,
        credentials_version int not null default 1,
        reset_token_hash text constraint admin_users_reset_token_unique unique,
        reset_expires_at timestamptz,
        last_sign_in_at timestamptz,
        created_at timestamptz not null default now(),
        primary key (tenant_id, id)
      )`);
  }
}

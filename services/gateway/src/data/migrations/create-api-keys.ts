import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateApiKeys1790000001002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // last_used_at changes often and is in no index: room on the page keeps those updates within it (HOT).
    await runner.query(`
      create table api_keys (
        tenant_id bigint not null constraint api_keys_tenant references tenants (tenant_id),
        id bigint generated always as identity,
        name text not null,
        key_hash bytea not null check (octet_length(key_hash) = 32),
        last_four text not null check (length(last_four) = 4),
        is_active boolean not null default true,
        last_used_at timestamptz,
        created_at timestamptz not null default now(),
        primary key (tenant_id, id)
      ) with (fillfactor = 80)`);
    await runner.query('create unique index api_keys_key_hash on api_keys (key_hash)');
  }
}

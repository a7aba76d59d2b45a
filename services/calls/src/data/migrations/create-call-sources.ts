import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateCallSources1790000000201 implements Migration {
  /** A deleted source stays as a row: its calls go on bearing its name, and what came in by it is still read. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table call_sources (
        tenant_id bigint not null,
        id bigint generated always as identity,
        token text not null,
        provider text not null,
        name text not null,
        sealed_secret text not null,
        secret_last_four text not null,
        settings jsonb not null,
        is_active boolean not null default true,
        last_message_at timestamptz,
        version bigint not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz,
        primary key (tenant_id, id),
        constraint call_sources_token_unique unique (token)
      )`);
    await runner.query(
      'create index call_sources_deleted on call_sources (deleted_at) where deleted_at is not null',
    );
  }
}

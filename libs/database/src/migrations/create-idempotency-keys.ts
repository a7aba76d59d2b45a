import type { Migration, QueryRunner } from './migration.ts';

export class CreateIdempotencyKeys1790000000002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotency_keys (
        tenant_id bigint not null,
        method text not null,
        path text not null,
        key text not null,
        body_hash bytea not null,
        status smallint not null,
        headers json not null,
        body json not null,
        created_at timestamptz not null default now(),
        primary key (tenant_id, method, path, key)
      )`);
    await runner.query('create index idempotency_keys_created_at on idempotency_keys (created_at)');
  }
}

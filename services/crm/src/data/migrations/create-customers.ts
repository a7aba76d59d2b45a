import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateCustomers1790000200001 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm');
    await runner.query('create extension if not exists btree_gin');
    await runner.query(`
      create table customers (
        tenant_id bigint not null,
        id bigint generated always as identity,
        name text not null,
        phone text not null,
        phone_e164 text not null,
        phone_digits text not null,
        email text,
        segment text not null check (segment in ('lead', 'active', 'inactive', 'vip')),
        pipeline_stage text,
        notes text,
        source text not null,
        search_text text not null,
        version bigint not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (tenant_id, id),
        constraint customers_phone_unique unique (tenant_id, phone_e164)
      )`);
    await runner.query('create index customers_by_segment on customers (tenant_id, segment, id)');
    await runner.query(
      'create index customers_by_pipeline_stage on customers (tenant_id, pipeline_stage, id) where pipeline_stage is not null',
    );
    // btree_gin lets the tenant into the trigram index: a search reads no other tenant's entries.
    await runner.query(
      'create index customers_by_search_text on customers using gin (tenant_id, search_text gin_trgm_ops)',
    );
  }
}

import type { Migration, QueryRunner } from './migration.ts';

export class CreateOutbox1790000000001 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table outbox (
        tenant_id bigint not null,
        id bigint generated always as identity primary key,
        event_id uuid not null,
        topic text not null,
        aggregate_id bigint not null,
        envelope json not null,
        created_at timestamptz not null default now(),
        published_at timestamptz,
        parked_at timestamptz,
        parked_reason text
      )`);
    await runner.query(
      `create index outbox_unpublished on outbox (id) where published_at is null and parked_at is null`,
    );
    await runner.query(
      `create index outbox_published on outbox (published_at) where published_at is not null`,
    );
  }
}

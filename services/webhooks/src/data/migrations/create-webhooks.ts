import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Nothing removes rows yet. Events, deliveries and attempts grow without end, so nothing refers to them by foreign key:
 * what is old can be removed one day without a look at the other tables. Each is written in one transaction with what it
 * belongs to. Endpoints are only marked as deleted.
 */
export class CreateWebhooks1790000000101 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table endpoints (
        tenant_id bigint not null,
        id bigint generated always as identity,
        url text not null,
        events text[] not null,
        secret text not null,
        is_active boolean not null default true,
        disabled_reason text,
        created_at timestamptz not null default now(),
        deleted_at timestamptz,
        primary key (tenant_id, id)
      )`);
    // The row under the event's own name distinguishes its second arrival from the first.
    await runner.query(`
      create table events (
        tenant_id bigint not null,
        event_id uuid not null,
        name text not null,
        sequence bigint not null,
        body text not null,
        occurred_at timestamptz not null,
        received_at timestamptz not null default now(),
        primary key (tenant_id, event_id, name)
      )`);
    await runner.query(`
      create table deliveries (
        tenant_id bigint not null,
        id bigint generated always as identity,
        endpoint_id bigint not null,
        event_id uuid not null,
        name text not null,
        status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
        attempt_count smallint not null default 0,
        next_attempt_at timestamptz default now(),
        lease_token uuid,
        leased_until timestamptz,
        http_status smallint,
        response_body text,
        delivered_at timestamptz,
        created_at timestamptz not null default now(),
        primary key (tenant_id, id),
        constraint deliveries_once unique (tenant_id, event_id, endpoint_id),
        constraint deliveries_endpoint foreign key (tenant_id, endpoint_id) references endpoints (tenant_id, id)
      )`);
    await runner.query('create index deliveries_log on deliveries (tenant_id, endpoint_id, id)');
    // Led by the endpoint, whose ids are unique across tenants: a claim steps from one endpoint to the next and never
    // walks through a backlog. A leased row is due when its lease ends.
    await runner.query(`
      create index deliveries_due on deliveries (endpoint_id, greatest(next_attempt_at, leased_until))
      where status = 'pending'`);
    await runner.query(`
      create table attempts (
        tenant_id bigint not null,
        delivery_id bigint not null,
        attempt smallint not null,
        started_at timestamptz not null,
        duration_ms integer not null,
        http_status smallint,
        error_class text,
        response_body text,
        primary key (tenant_id, delivery_id, attempt)
      )`);
  }
}

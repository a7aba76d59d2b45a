import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Events and deliveries move into daily partitions, which are dropped whole when they are past their time. Pending deliveries are
 * kept apart, in a small table that workers claim from: the log is written to when a delivery begins and ends, and never
 * searched for work. An id begins with its day, so that it names its partition: `day_id`.
 *
 * Before the first release, and so not additive: older processes don't know these tables.
 */
export class PartitionDeliveries1790000000102 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table endpoints
        add version integer not null default 1,
        add updated_at timestamptz not null default now(),
        add paused_at timestamptz,
        add previous_secret text,
        add previous_secret_until timestamptz,
        add consecutive_failures integer not null default 0,
        add retry_at timestamptz,
        add failing_since timestamptz,
        add last_success_at timestamptz,
        add last_failure_at timestamptz,
        add last_failure text`);
    await runner.query('create unique index endpoints_id on endpoints (id)');

    await runner.query('alter table deliveries drop constraint deliveries_endpoint');
    for (const table of ['events', 'deliveries', 'attempts']) {
      await runner.query(`alter table ${table} rename to ${table}_before`);
    }
    for (const index of ['events_pkey', 'deliveries_pkey', 'deliveries_log']) {
      await runner.query(`alter index ${index} rename to ${index}_before`);
    }
    await createTables(runner);
    await createFunctions(runner);
    await moveRows(runner);
    await runner.query('drop table attempts_before, deliveries_before, events_before');
  }
}

async function createTables(runner: QueryRunner): Promise<void> {
  await runner.query('create sequence event_ids');
  await runner.query('create sequence delivery_ids');
  await runner.query('create sequence lease_owners as integer cycle');
  await runner.query(`
    create function day_id(n bigint, at timestamptz default now()) returns bigint language sql as
    $$ select floor(extract(epoch from at) / 86400)::bigint * 10000000000 + n % 10000000000 $$`);
  // That an event has come before is known for longer than its partition lasts.
  await runner.query(`
    create table received_events (
      tenant_id bigint not null,
      event_id uuid not null,
      received_at timestamptz not null default now(),
      primary key (tenant_id, event_id)
    )`);
  await runner.query('create index received_events_by_time on received_events using brin (received_at)');
  await runner.query(`
    create table events (
      tenant_id bigint not null,
      id bigint not null default day_id(nextval('event_ids')),
      event_id uuid not null,
      name text not null,
      sequence bigint not null,
      occurred_at timestamptz not null,
      received_at timestamptz not null default now(),
      body text not null,
      primary key (tenant_id, id)
    ) partition by range (id)`);
  await runner.query(`
    create table deliveries (
      tenant_id bigint not null,
      id bigint not null default day_id(nextval('delivery_ids')),
      endpoint_id bigint not null,
      event_row bigint not null,
      name text not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
      attempt_count smallint not null default 0,
      next_attempt_at timestamptz default now(),
      http_status smallint,
      response_body text,
      delivered_at timestamptz,
      created_at timestamptz not null default now(),
      attempts jsonb[] not null default '{}',
      primary key (tenant_id, id)
    ) partition by range (id)`);
  await runner.query('create index deliveries_log on deliveries (tenant_id, endpoint_id, id)');
  await runner.query(
    `create index deliveries_failed on deliveries (tenant_id, endpoint_id, id) where status = 'failed'`,
  );
  await runner.query(`
    create table delivery_queue (
      delivery_id bigint primary key,
      tenant_id bigint not null,
      endpoint_id bigint not null,
      due_at timestamptz not null default now(),
      attempt_count smallint not null default 0,
      is_cancelled boolean not null default false,
      lease_token uuid,
      lease_owner integer,
      leased_until timestamptz
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
  // Led by the endpoint, whose ids are unique across tenants: a claim steps from one endpoint to the next and never
  // walks through a backlog.
  await runner.query(
    'create index delivery_queue_due on delivery_queue (endpoint_id, due_at) where lease_token is null',
  );
  await runner.query(
    'create index delivery_queue_leased on delivery_queue (endpoint_id) where lease_token is not null',
  );
}

/** Days are counted from 1970-01-01, UTC. */
async function createFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function ensure_partitions(first_day bigint, last_day bigint) returns void language plpgsql as $$
    declare
      parent text;
      day bigint;
    begin
      perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
      foreach parent in array array['events', 'deliveries'] loop
        for day in select generate_series(first_day, last_day) loop
          if to_regclass(format('%s_%s', parent, day)) is null then
            execute format(
              'create table %s_%s partition of %s for values from (%s) to (%s) with (fillfactor = 60)',
              parent, day, parent, day * 10000000000, (day + 1) * 10000000000);
          end if;
        end loop;
      end loop;
    end $$`);
  await runner.query(`
    create function drop_partitions(first_kept_day bigint) returns integer language plpgsql as $$
    declare
      partition regclass;
      dropped integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
      -- A long read of the log is waited for another time: nobody shall have to queue behind this.
      set local lock_timeout = '1s';
      delete from delivery_queue where delivery_id < first_kept_day * 10000000000;
      for partition in
        select inhrelid::regclass from pg_inherits
        where inhparent in ('events'::regclass, 'deliveries'::regclass)
          and substring(inhrelid::regclass::text from '_([0-9]+)$')::bigint < first_kept_day
      loop
        execute format('drop table %s', partition);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $$`);
}

async function moveRows(runner: QueryRunner): Promise<void> {
  await runner.query(`
    select ensure_partitions(
      floor(extract(epoch from least(now(), (select min(received_at) from events_before),
        (select min(created_at) from deliveries_before))) / 86400)::bigint,
      floor(extract(epoch from now()) / 86400)::bigint + 7)`);
  await runner.query(`
    insert into received_events (tenant_id, event_id, received_at)
    select tenant_id, event_id, min(received_at) from events_before group by 1, 2`);
  await runner.query(`
    insert into events (tenant_id, id, event_id, name, sequence, occurred_at, received_at, body)
    select tenant_id, day_id(nextval('event_ids'), received_at), event_id, name, sequence, occurred_at, received_at, body
    from events_before order by received_at`);
  await runner.query(`
    insert into deliveries (tenant_id, id, endpoint_id, event_row, name, status, attempt_count, next_attempt_at, http_status,
      response_body, delivered_at, created_at, attempts)
    select d.tenant_id, day_id(nextval('delivery_ids'), d.created_at), d.endpoint_id, v.id, d.name, d.status,
      d.attempt_count, d.next_attempt_at, d.http_status, d.response_body, d.delivered_at, d.created_at,
      array(
        select jsonb_build_object('attempt', a.attempt, 'started_at', a.started_at, 'duration_ms', a.duration_ms,
          'http_status', a.http_status, 'error_class', a.error_class, 'response_body', a.response_body,
          'request_headers', '{}'::jsonb, 'response_headers', '{}'::jsonb)
        from attempts_before a where a.tenant_id = d.tenant_id and a.delivery_id = d.id order by a.attempt)
    from deliveries_before d
    join events v on v.tenant_id = d.tenant_id and v.event_id = d.event_id and v.name = d.name
    order by d.id`);
  await runner.query(`
    insert into delivery_queue (delivery_id, tenant_id, endpoint_id, due_at, attempt_count)
    select id, tenant_id, endpoint_id, coalesce(next_attempt_at, now()), attempt_count
    from deliveries where status = 'pending'`);
}

import type { Migration, QueryRunner } from '@frontdesk/database';

/** Replays as durable jobs, and the database's own word that an endpoint gets an event at most once. */
export class CreateReplays1790000000103 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // `begun_in`: whatever was begun before it has to be over before the walk, which would pass by its rows otherwise.
    await runner.query(`
      create table replays (
        tenant_id bigint not null,
        id bigint generated always as identity,
        endpoint_id bigint not null,
        kind text not null check (kind in ('failed', 'window')),
        window_from timestamptz,
        window_to timestamptz,
        include_delivered boolean not null default false,
        status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
        position bigint not null,
        last_id bigint not null,
        total integer not null,
        queued integer not null default 0,
        skipped integer not null default 0,
        next_at timestamptz not null default now(),
        begun_in xid8 not null default pg_current_xact_id(),
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        primary key (tenant_id, id)
      )`);
    await runner.query(
      `create unique index replays_one_running on replays (tenant_id, endpoint_id) where status = 'running'`,
    );
    await runner.query(`create index replays_due on replays (next_at) where status = 'running'`);
    await runner.query('create index replays_of_endpoint on replays (tenant_id, endpoint_id, id)');
    // An event's bodies under other names than its own are few, so this costs the others nothing.
    await runner.query(`
      create index events_alias on events (tenant_id, event_id)
      where name in ('appointment.booked', 'call.completed', 'missed_call')`);
    await keepDeliveriesUnique(runner);
  }
}

/**
 * A delivery lies in the partition of its event's day, also one that a replay made: uniqueness within each partition is
 * uniqueness. A unique index on the parent would have to hold the id as well.
 */
async function keepDeliveriesUnique(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function keep_deliveries_unique(partition regclass) returns void language plpgsql as $$
    begin
      execute format('create unique index if not exists %I on %s (endpoint_id, event_row)', partition::text || '_once', partition);
    end $$`);
  await runner.query(`
    select keep_deliveries_unique(inhrelid::regclass) from pg_inherits where inhparent = 'deliveries'::regclass`);
  await runner.query(`
    create or replace function ensure_partitions(first_day bigint, last_day bigint) returns void language plpgsql as $$
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
            if parent = 'deliveries' then
              perform keep_deliveries_unique(format('deliveries_%s', day)::regclass);
            end if;
          end if;
        end loop;
      end loop;
    end $$`);
}

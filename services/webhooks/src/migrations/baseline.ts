import { makeBaseline } from '@frontdesk/database';

const REPLACES = [
  'CreateWebhooks1790000000101',
  'PartitionDeliveries1790000000102',
  'CreateReplays1790000000103',
  'LightenDeliveries1790000000104',
  'CreateEndedEndpoints1790000000105',
  'CreateDeliveryCounts1790000000106',
  'SealSecrets1790000000107',
  'OrderQueue1790000000108',
  'QueueEventRows1790000000109',
  'HoldSuspended1790000000110',
  'RememberPauses1790000000111',
  'SearchLog1790000000112',
  'TimeAttempts1790000000113',
  'FindEvents1790000000114',
  'DropEventsAlias1790000000115',
  'ReplayMissed1790000000116',
  'FindEventsById1790000000118',
  'DropEventsByEvent1790000000119',
  'KeepQueuePages1790000000120',
  'AnalyseGrownPartitions1790000000121',
];

/**
 * Endpoints are only marked as deleted. Those of suspended tenants are held: once the tenant is resumed, its waiting deliveries are parked
 * (`due_at` is infinity) and released at the rate of replays; `release_at` is set until none is parked. Deliveries that are dropped
 * unsent, because they waited beyond the retention, are counted. What came in while an endpoint was paused or disabled can be sent to it
 * afterwards: what is missing lies between `missed_from` and `missed_to`.
 */
const ENDPOINTS = `
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
      version integer not null default 1,
      updated_at timestamptz not null default now(),
      paused_at timestamptz,
      previous_secret text,
      previous_secret_until timestamptz,
      consecutive_failures integer not null default 0,
      retry_at timestamptz,
      failing_since timestamptz,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      last_failure text,
      secret_last_four text,
      is_suspended boolean not null default false,
      release_at timestamptz,
      dropped_deliveries integer not null default 0,
      missed_from timestamptz,
      missed_to timestamptz,
      primary key (tenant_id, id)
    );
    create unique index endpoints_id on endpoints (id);
    -- However many a tenant has had, each event looks for those that it has.
    create index endpoints_kept on endpoints (tenant_id, id) where deleted_at is null;
    create index endpoints_rotated on endpoints (previous_secret_until) where previous_secret is not null;
    -- What each key has sealed.
    create index endpoints_sealed_by on endpoints (split_part(secret, '.', 2)) where deleted_at is null;
    create index endpoints_suspended on endpoints (id) where is_suspended and deleted_at is null;
    create index endpoints_releasing on endpoints (release_at) where release_at is not null;
    create index tenants_suspended on tenants (tenant_id) where status = 'suspended';
    -- Endpoints that were deleted or disabled, until all that waited for them is cancelled.
    create table ended_endpoints (endpoint_id bigint primary key, tenant_id bigint not null);`;

/**
 * Events and deliveries lie in daily partitions, which are dropped whole when they are past their time. An id begins with its day, so that
 * it names its partition. Nothing refers to them by foreign key.
 */
const EVENTS = `
    create sequence event_ids;
    create sequence delivery_ids;
    create sequence lease_owners as integer cycle;
    create function day_id(n bigint, at timestamptz default now()) returns bigint language sql as
    $$ select floor(extract(epoch from at) / 86400)::bigint * 10000000000 + n % 10000000000 $$;
    -- That an event has come before is known for longer than its partition lasts.
    create table received_events (
      tenant_id bigint not null,
      event_id uuid not null,
      received_at timestamptz not null default now(),
      primary key (tenant_id, event_id)
    );
    create index received_events_by_time on received_events using brin (received_at);
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
    ) partition by range (id);
    -- Led by the event's id, it is taken for nothing else. While a day's partition is small, one that is led by the tenant looks as good
    -- for any of its events as the key, and its plan reads all that the tenant has until PostgreSQL looks again.
    create index events_by_id on events (event_id);`;

/**
 * A delivery is written twice, as it begins and with its result, which is many times as long. The second writing stays in its page and
 * touches no index: pages begin nearly empty, and no index depends on what a success changes.
 */
const DELIVERIES = `
    create table deliveries (
      tenant_id bigint not null,
      id bigint not null default day_id(nextval('delivery_ids')),
      endpoint_id bigint not null,
      event_row bigint not null,
      name text not null,
      status text not null default 'pending'
        constraint deliveries_status_check1 check (status in ('pending', 'delivered', 'failed', 'cancelled')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz default now(),
      http_status smallint,
      response_body text,
      delivered_at timestamptz,
      created_at timestamptz not null default now(),
      -- Texts of JSON: they are only ever read as a whole.
      attempts text[] not null default '{}',
      is_failed boolean generated always as (status = 'failed') stored,
      -- How long the latest attempt took.
      duration_ms integer,
      primary key (tenant_id, id)
    ) partition by range (id);
    create index deliveries_log on deliveries (tenant_id, endpoint_id, id);
    create index deliveries_failed on deliveries (tenant_id, endpoint_id, id) where is_failed;
    -- By when events came in, which is no order of ids once a replay has made deliveries of earlier events.
    create index deliveries_by_time on deliveries (tenant_id, created_at, id);
    -- Deliveries that came to an end: the log of a busy day is too long to be counted whenever somebody looks. latency_bucket is -1 where
    -- there is no latency: of what failed, and what was sent again on demand.
    create table delivery_counts (
      tenant_id bigint not null,
      hour timestamptz not null,
      outcome text not null check (outcome in ('delivered', 'failed')),
      latency_bucket smallint not null,
      deliveries bigint not null,
      primary key (tenant_id, hour, outcome, latency_bucket)
    ) with (fillfactor = 70);
    create index delivery_counts_by_hour on delivery_counts (hour);`;

/**
 * Pending deliveries are kept apart, in a small table that workers claim from. It keeps its pages when it is empty: it fills within seconds,
 * and a plan that was made for no pages at all would read it whole until PostgreSQL looks again. A claim never walks
 * through a backlog. Deliveries of events that came in together are due
 * at the same moment: they are claimed in the order they were made in.
 */
const DELIVERY_QUEUE = `
    create table delivery_queue (
      delivery_id bigint primary key,
      tenant_id bigint not null,
      endpoint_id bigint not null,
      due_at timestamptz not null default now(),
      attempt_count integer not null default 0,
      is_cancelled boolean not null default false,
      lease_token uuid,
      lease_owner integer,
      leased_until timestamptz,
      event_row bigint not null
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off);
    create index delivery_queue_waiting on delivery_queue (endpoint_id, due_at, delivery_id) where lease_token is null;
    create index delivery_queue_leased on delivery_queue (endpoint_id) where lease_token is not null;`;

/** Replays as durable jobs. Whatever was begun before `begun_in` has to be over before the walk, which would pass by its rows otherwise. */
const REPLAYS = `
    create table replays (
      tenant_id bigint not null,
      id bigint generated always as identity,
      endpoint_id bigint not null,
      kind text not null check (kind in ('failed', 'window', 'missed')),
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
    );
    create unique index replays_one_running on replays (tenant_id, endpoint_id) where status = 'running';
    create index replays_due on replays (next_at) where status = 'running';
    create index replays_of_endpoint on replays (tenant_id, endpoint_id, id);`;

/**
 * Days are counted from 1970-01-01, UTC. A partition is made beside its table and attached: that waits for nobody who reads the log, and so
 * nobody waits behind it. A delivery lies in the partition of its event's day, also one that a replay made: uniqueness within each
 * partition is uniqueness, and a unique index on the parent would have to hold the id as well. Autovacuum first looks at a day once it has
 * grown: see docs/decisions/fresh-tables.md.
 */
const PARTITIONS = `
    create function keep_deliveries_unique(partition regclass) returns void language plpgsql as $$
    begin
      execute format('create unique index %I on %s (event_row, endpoint_id)', partition::text || '_once', partition);
    end $$;
    create function ensure_partitions(first_day bigint, last_day bigint) returns void language plpgsql as $$
    declare
      parent text;
      partition text;
      day bigint;
    begin
      perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
      -- Only others of its kind can keep an attachment waiting. There is a week for another try.
      set local lock_timeout = '1s';
      foreach parent in array array['events', 'deliveries'] loop
        for day in select generate_series(first_day, last_day) loop
          partition := format('%s_%s', parent, day);
          if to_regclass(partition) is null then
            execute format('create table %I (like %I including all) with (%s)',
              partition, parent, case parent when 'deliveries' then 'fillfactor = 10, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000' else 'fillfactor = 100, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000' end);
            if parent = 'deliveries' then
              perform keep_deliveries_unique(partition::regclass);
            end if;
            execute format('alter table %I attach partition %I for values from (%s) to (%s)',
              parent, partition, day * 10000000000, (day + 1) * 10000000000);
          end if;
        end loop;
      end loop;
    end $$;
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
    end $$;
    create function drop_days(first_kept_day bigint)
      returns table (tenant_id bigint, deliveries bigint) language plpgsql as $$
      #variable_conflict use_column
      declare
        counted jsonb;
      begin
        perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
        with dropped as (
          delete from delivery_queue where delivery_id < first_kept_day * 10000000000
          returning tenant_id, endpoint_id, lease_token
        ), counts as (
          -- What is under way may get through.
          select tenant_id, endpoint_id, count(*) as deliveries from dropped where lease_token is null
          group by tenant_id, endpoint_id
        )
        select coalesce(jsonb_agg(to_jsonb(counts)), '[]') into counted from counts;
        perform drop_partitions(first_kept_day);
        update endpoints e set dropped_deliveries = e.dropped_deliveries + c.deliveries
        from jsonb_to_recordset(counted) as c (tenant_id bigint, endpoint_id bigint, deliveries integer)
        where e.tenant_id = c.tenant_id and e.id = c.endpoint_id;
        return query
          select c.tenant_id, sum(c.deliveries)::bigint
          from jsonb_to_recordset(counted) as c (tenant_id bigint, deliveries integer)
          group by c.tenant_id;
      end $$;
    select ensure_partitions(day, day + 7) from (select day_id(0) / 10000000000 as day) as today;`;

export const baseline = makeBaseline(
  REPLACES,
  [ENDPOINTS, EVENTS, DELIVERIES, DELIVERY_QUEUE, REPLAYS, PARTITIONS].join('\n'),
);

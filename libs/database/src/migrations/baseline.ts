import { makeBaseline } from './make-baseline.ts';
import { setAutovacuum } from './set-autovacuum.ts';

const REPLACES = [
  'CreateOutbox1790000000001',
  'CreateIdempotencyKeys1790000000002',
  'CreateCounts1790000000003',
  'CreateDeadLetters1790000000006',
  'CreateStoredBytes1790000000008',
  'CreateEventGaps1790000000009',
  'SetAutovacuum1790000000010',
  'KeepEmptyPages1790000000011',
];

const OUTBOX = `
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
  );
  create index outbox_unpublished on outbox (id) where published_at is null and parked_at is null;
  create index outbox_published on outbox (published_at) where published_at is not null;
  create index outbox_parked on outbox (id) where parked_at is not null;`;

const IDEMPOTENCY_KEYS = `
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
  );
  create index idempotency_keys_created_at on idempotency_keys (created_at);`;

const COUNTS = `
  create table counts (tenant_id bigint not null, counter text not null, delta bigint not null);
  create index counts_counter on counts (tenant_id, counter) include (delta);`;

/** Messages that a consumer could not take in, until an operator has looked at them. */
const DEAD_LETTERS = `
  create table dead_letters (
    tenant_id bigint,
    id bigint generated always as identity primary key,
    consumer text not null,
    topic text not null,
    "partition" integer not null,
    "offset" bigint not null,
    sent_at timestamptz not null,
    key bytea,
    value bytea,
    type text,
    reason text not null,
    created_at timestamptz not null default now(),
    constraint dead_letters_once unique (consumer, topic, "partition", "offset", sent_at)
  );`;

const STORED_BYTES = `
  create table stored_bytes (tenant_id bigint primary key, bytes bigint not null);
  -- One row: the process that updates it measures that day.
  create table stored_bytes_measurement (
    is_last boolean primary key default true check (is_last),
    begun_at timestamptz not null
  );`;

/** How far each consumer is, which Kafka forgets of a group that is away for long, and the gaps found by it. */
const EVENT_GAPS = `
  create table consumer_positions (
    consumer text not null,
    topic text not null,
    "partition" integer not null,
    "offset" bigint not null,
    occurred_at timestamptz,
    primary key (consumer, topic, "partition")
  );
  create table event_gaps (
    id bigint generated always as identity primary key,
    consumer text not null,
    topic text not null,
    "partition" integer not null,
    from_offset bigint,
    to_offset bigint not null,
    since timestamptz,
    until timestamptz not null,
    is_refilled boolean not null,
    found_at timestamptz not null default now(),
    constraint event_gaps_once unique nulls not distinct (consumer, topic, "partition", from_offset, to_offset, since)
  );`;

/** All that these tables hold may leave them. They keep their pages then, so that no plan is made for an empty file. */
const KEEP_EMPTY_PAGES = `
  alter table outbox set (vacuum_truncate = off);
  alter table idempotency_keys set (vacuum_truncate = off);`;

/** The tables of every service that has events of its own. */
export const sharedBaseline = makeBaseline(
  REPLACES,
  [
    OUTBOX,
    IDEMPOTENCY_KEYS,
    COUNTS,
    DEAD_LETTERS,
    STORED_BYTES,
    EVENT_GAPS,
    setAutovacuum(['outbox', 'idempotency_keys', 'counts']),
    KEEP_EMPTY_PAGES,
  ].join('\n'),
);

/** For services that keep a projection of others' records. */
export const projectionsBaseline = makeBaseline(
  ['CreateProjections1790000000005'],
  'create table projections (name text primary key, filled_at timestamptz not null);',
);

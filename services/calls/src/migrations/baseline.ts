import { makeBaseline, setAutovacuum } from '@frontdesk/database';

const REPLACES = [
  'CreateCallSources1790000000201',
  'CreateCalls1790000000202',
  'CreateCallMessages1790000000203',
  'CreateCustomerNumbers1790000000204',
  'CreateCallMessageDays1790000000205',
  'MarkTests1790000000206',
  'IndexTests1790000000207',
  'DropCallsByStart1790000000208',
  'MarkTestMessages1790000000209',
  'NoteTests1790000000210',
  'SetAutovacuum1790000000211',
  'MarkCallBacks1790000000212',
  'IndexCallBacks1790000000213',
  'IndexCallsBySource1790000000214',
];

/** A deleted source stays as a row: its calls go on bearing its name, and what came in by it is still read. */
const CALL_SOURCES = `
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
    last_test_at timestamptz,
    primary key (tenant_id, id),
    constraint call_sources_token_unique unique (token)
  );
  create index call_sources_deleted on call_sources (deleted_at) where deleted_at is not null;`;

const CALLS = `
  create table calls (
    tenant_id bigint not null,
    id bigint generated always as identity,
    source_id bigint not null,
    provider text not null,
    id_space bigint not null,
    provider_call_id text not null,
    end_told_at timestamptz,
    is_complete boolean not null default false,
    is_settled boolean not null default false,
    direction text,
    from_number text,
    to_number text,
    customer_number text,
    customer_id bigint,
    started_at timestamptz,
    ended_at timestamptz,
    duration_seconds bigint,
    is_missed boolean,
    outcome text,
    sentiment text,
    sentiment_source text,
    quality_score double precision,
    summary text,
    transcript_truncated boolean not null default false,
    recording_url text,
    appointment_id bigint,
    announce_at timestamptz,
    is_announced boolean not null default false,
    is_missed_announced boolean not null default false,
    link_due_at timestamptz,
    link_attempts integer not null default 0,
    version bigint not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- A test of the source made it.
    is_test boolean not null default false,
    -- Who called a missed caller back, and when.
    called_back_at timestamptz,
    called_back_by text,
    primary key (tenant_id, id),
    foreign key (tenant_id, source_id) references call_sources (tenant_id, id),
    constraint calls_provider_call_unique unique (tenant_id, provider, id_space, provider_call_id),
    constraint calls_complete_check check (not is_complete or (direction is not null and started_at is not null
      and ended_at is not null and duration_seconds is not null and is_missed is not null and outcome is not null))
  );
  create index calls_to_announce on calls (tenant_id, announce_at, id) where announce_at is not null;
  create index calls_to_link on calls (tenant_id, link_due_at, id) where link_due_at is not null;
  create index calls_unlinked on calls (tenant_id, customer_number)
    where customer_id is null and customer_number is not null;
  -- Missed calls that nobody has called back: few, however many calls there are.
  create index calls_to_call_back on calls (tenant_id, started_at, id)
    where is_complete and is_missed and direction = 'inbound' and not is_test and called_back_at is null;
  create table call_transcripts (
    tenant_id bigint not null,
    call_id bigint not null,
    utterances json not null,
    message_id bigint not null,
    is_truncated boolean not null,
    lexicon_sentiment text,
    worth bigint not null,
    stage integer not null,
    digest text not null,
    primary key (tenant_id, call_id),
    foreign key (tenant_id, call_id) references calls (tenant_id, id) on delete cascade
  );`;

/** Behind the sort in each index of the list, so that further filters are decided within it, and totals counted. */
const FILTERED = 'sentiment, is_missed, outcome, direction, customer_id';

const listed = (name: string, columns: string) =>
  `create index calls_by_${name} on calls (tenant_id, ${columns}) where is_complete;`;

const LISTS_OF_CALLS = [
  // The statistics leave tests out, and still read an index alone.
  listed('start_and_test', `started_at, id, ${FILTERED}, is_test`),
  listed('update', `updated_at, id, started_at, ${FILTERED}`),
  listed('sentiment', 'sentiment, started_at, id, is_missed, outcome, direction, customer_id'),
  listed('missed', 'is_missed, started_at, id, sentiment, outcome, direction, customer_id'),
  listed('outcome', 'outcome, started_at, id, sentiment, is_missed, direction, customer_id'),
  listed('direction', 'direction, started_at, id, sentiment, is_missed, outcome, customer_id'),
  listed('customer', 'customer_id, started_at, id, sentiment, is_missed, outcome, direction'),
  listed('source', `source_id, started_at, id, ${FILTERED}`),
];

const CALL_MESSAGES = `
  create table call_messages (
    tenant_id bigint not null,
    id bigint generated always as identity,
    source_id bigint not null,
    digest bytea not null,
    content_type text not null,
    url text not null,
    body bytea not null,
    status text not null default 'received' check (status in ('received', 'applied', 'ignored', 'unreadable')),
    reason text,
    call_id bigint,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    received_at timestamptz not null default now(),
    is_test boolean not null default false,
    primary key (tenant_id, id),
    foreign key (tenant_id, source_id) references call_sources (tenant_id, id),
    constraint call_messages_digest_unique unique (source_id, digest)
  );
  create index call_messages_due on call_messages (due_at, id) where status = 'received';
  create index call_messages_due_of_tenant on call_messages (tenant_id, due_at, id) where status = 'received';
  create index call_messages_settled on call_messages (received_at) where status in ('applied', 'ignored');
  create index call_messages_unreadable on call_messages (received_at) where status = 'unreadable';
  create index call_messages_by_source on call_messages (tenant_id, source_id, id);
  create index call_messages_by_status on call_messages (tenant_id, status, id);
  -- Outlives its message: what comes later is folded together with it.
  create table call_patches (
    tenant_id bigint not null,
    call_id bigint not null,
    message_id bigint not null,
    stage text not null,
    patch json not null,
    bytes integer not null,
    primary key (tenant_id, call_id, message_id),
    foreign key (tenant_id, call_id) references calls (tenant_id, id) on delete cascade
  );
  -- Changed with every message, but never what is in its index: room on the page keeps those updates within it (HOT).
  create table call_message_days (
    tenant_id bigint not null,
    day date not null,
    messages bigint not null,
    bytes bigint not null,
    primary key (tenant_id, day)
  ) with (fillfactor = 50);
  create index call_message_days_day on call_message_days (day);`;

const CUSTOMER_NUMBERS = `
  create table customer_numbers (
    tenant_id bigint not null,
    e164 text not null,
    customer_id bigint not null,
    primary key (tenant_id, e164)
  );`;

const GROWING = ['calls', 'call_messages', 'call_patches', 'call_transcripts', 'customer_numbers'];

export const baseline = makeBaseline(
  REPLACES,
  [CALL_SOURCES, CALLS, ...LISTS_OF_CALLS, CALL_MESSAGES, CUSTOMER_NUMBERS, setAutovacuum(GROWING)].join(
    '\n',
  ),
);

import type { Migration, QueryRunner } from '@frontdesk/database';

/** Behind the sort in every index of the list, so that further filters are decided within it, and totals counted. */
const FILTERED = 'sentiment, is_missed, outcome, direction, customer_id';

export class CreateCalls1790000000202 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        primary key (tenant_id, id),
        foreign key (tenant_id, source_id) references call_sources (tenant_id, id),
        constraint calls_provider_call_unique unique (tenant_id, provider, id_space, provider_call_id),
        constraint calls_complete_check check (not is_complete or (direction is not null and started_at is not null
          and ended_at is not null and duration_seconds is not null and is_missed is not null and outcome is not null))
      )`);
    const listed = (name: string, columns: string) =>
      runner.query(`create index calls_by_${name} on calls (tenant_id, ${columns}) where is_complete`);
    await listed('start', `started_at, id, ${FILTERED}`);
    await listed('update', `updated_at, id, started_at, ${FILTERED}`);
    await listed('sentiment', 'sentiment, started_at, id, is_missed, outcome, direction, customer_id');
    await listed('missed', 'is_missed, started_at, id, sentiment, outcome, direction, customer_id');
    await listed('outcome', 'outcome, started_at, id, sentiment, is_missed, direction, customer_id');
    await listed('direction', 'direction, started_at, id, sentiment, is_missed, outcome, customer_id');
    await listed('customer', 'customer_id, started_at, id, sentiment, is_missed, outcome, direction');
    await runner.query(
      'create index calls_to_announce on calls (tenant_id, announce_at, id) where announce_at is not null',
    );
    await runner.query(
      'create index calls_to_link on calls (tenant_id, link_due_at, id) where link_due_at is not null',
    );
    await runner.query(
      'create index calls_unlinked on calls (tenant_id, customer_number) where customer_id is null and customer_number is not null',
    );
    await runner.query(`
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
      )`);
  }
}

import type { Client } from 'pg';

/** One call an hour, the newest first. Of a hundred one failed, of five one was missed, and most have a customer. */
const CALLS = `
  insert into calls (tenant_id, source_id, id_space, provider, provider_call_id, end_told_at, is_complete, direction, from_number,
    to_number, customer_number, customer_id, started_at, ended_at, duration_seconds, is_missed, outcome, sentiment,
    sentiment_source, summary, is_announced, version, updated_at)
  select $1::bigint, $2::bigint, $2::bigint, 'generic', $1::bigint || '-' || n, started_at, true, case when n % 3 = 0 then 'outbound' else 'inbound' end,
    '+493023125' || n % 1000, '+493023125999', '+493023125' || n % 1000, case when n % 4 > 0 then n % 1000 + 1 end,
    started_at, started_at + length, extract(epoch from length), length < interval '15 s',
    case when n % 100 = 7 then 'failed' when n % 3 = 1 then 'booked' when n % 3 = 2 then 'inquiry' else 'other' end,
    case when n % 7 = 0 then 'negative' when n % 7 < 4 then 'positive' when n % 7 = 4 then 'neutral' end,
    'provider', repeat('What was said. ', 20), true, 1, started_at + interval '5 min'
  from generate_series(1, $3::integer) n
  cross join lateral (select now() - n * interval '1 hour' as started_at,
    case when n % 5 = 0 then interval '9 s' else interval '3 min' end as length) times`;

const SOURCE = `
  insert into call_sources (tenant_id, token, provider, name, sealed_secret, secret_last_four, settings)
  values ($1::bigint, 'token-' || $1::bigint, 'generic', 'Phone', '', '', '{"creates_leads": false, "classifies_sentiment": true}')
  returning id`;

/** Of so many calls of each tenant four messages of the last days, all settled, what each said, and the number of a customer. */
export async function loadMessages(client: Client, callsOfEach: number): Promise<void> {
  await client.query(
    `insert into call_messages (tenant_id, source_id, digest, content_type, url, body, status, call_id, received_at)
     select tenant_id, source_id, sha256((id || '-' || message)::bytea), 'application/json', '', '{}', 'applied', id,
       now() - nth * interval '10 s'
     from (select *, row_number() over (partition by tenant_id order by id) as nth from calls) calls
       cross join generate_series(1, 4) message
     where nth <= $1`,
    [callsOfEach],
  );
  await client.query(
    `insert into call_patches (tenant_id, call_id, message_id, stage, patch, bytes)
     select tenant_id, call_id, id, 'ended', '{}', 2 from call_messages`,
  );
  await client.query(
    `insert into customer_numbers (tenant_id, e164, customer_id) select tenant_id, '+4930' || id, id from call_messages`,
  );
}

/** Fills the tables with calls of a business, each with a transcript. */
export async function loadCalls(client: Client, tenantId: number, calls: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>(SOURCE, [tenantId]);
  await client.query(CALLS, [tenantId, rows[0]?.id, calls]);
  await client.query(
    `insert into call_transcripts (tenant_id, call_id, utterances, message_id, is_truncated, worth, stage, digest)
     select tenant_id, id, '[{"role":"agent","text":"Hello","start":0,"end":1}]', 1, false, 550, 1, '' from calls where tenant_id = $1`,
    [tenantId],
  );
  await client.query(
    `insert into counts (tenant_id, counter, delta)
     select tenant_id, concat_ws('/', 'calls', direction, is_missed::text, outcome, coalesce(sentiment, 'none')), count(*)
     from calls where tenant_id = $1 group by 1, 2`,
    [tenantId],
  );
}

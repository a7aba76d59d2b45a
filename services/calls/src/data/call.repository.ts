import type { Utterance } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { CallRow } from '../domain/call.ts';

export const LIST_COLUMNS = `id, customer_id, direction, from_number, to_number, started_at, ended_at, duration_seconds, is_missed,
  sentiment, quality_score, outcome, is_test,
  (select s.name from call_sources s where s.tenant_id = calls.tenant_id and s.id = calls.source_id) as source`;

export const CALL_COLUMNS = `${LIST_COLUMNS}, summary, transcript_truncated, recording_url, sentiment_source, provider,
  provider_call_id, appointment_id, version, created_at, updated_at`;

const find = tenantSql<CallRow & { transcript: Utterance[] | null }, [id: number]>(
  'calls_find',
  `select ${CALL_COLUMNS}, utterances as transcript
   from calls left join call_transcripts t on t.tenant_id = calls.tenant_id and t.call_id = calls.id
   where calls.tenant_id = $1 and calls.id = $2 and is_complete`,
);

/** A complete call with its transcript. */
export const findCall = (db: TenantReads, id: number) => db.maybeOne(find, id);

import type { Utterance } from '@frontdesk/contracts';
import { type TenantScope, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { CALL_COLUMNS, type CallRow } from './call-row.ts';

const find = tenantSql<CallRow & { transcript: Utterance[] | null }, [id: number]>(
  'calls_find',
  `select ${CALL_COLUMNS}, utterances as transcript
   from calls left join call_transcripts t on t.tenant_id = calls.tenant_id and t.call_id = calls.id
   where calls.tenant_id = $1 and calls.id = $2 and is_complete`,
);

/** A complete call with its transcript. */
export const findCall = (scope: TenantScope, id: number) => scope.maybeOne(find, id);

const findTranscriptOf = tenantSql<{ utterances: Utterance[] }, [id: number]>(
  'transcripts_find',
  'select utterances from call_transcripts where tenant_id = $1 and call_id = $2',
);

export const findTranscript = async (tx: TenantTransaction, id: number): Promise<Utterance[]> =>
  (await tx.maybeOne(findTranscriptOf, id))?.utterances ?? [];

const putTranscript = tenantSql<never, [id: number, utterances: string]>(
  'transcripts_put',
  `insert into call_transcripts as t (tenant_id, call_id, utterances) values ($1, $2, $3)
   on conflict (tenant_id, call_id) do update set utterances = excluded.utterances
   where t.utterances::text <> excluded.utterances::text`,
);

/** @returns whether it is another one than before */
export const saveTranscript = async (tx: TenantTransaction, id: number, transcript: Utterance[]) =>
  transcript.length > 0 && (await tx.run(putTranscript, id, JSON.stringify(transcript))) > 0;

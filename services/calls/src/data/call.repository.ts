import type { Utterance } from '@frontdesk/contracts';
import { type TenantScope, tenantSql } from '@frontdesk/database';
import { CALL_COLUMNS, type CallRow } from './call-row.ts';

const find = tenantSql<CallRow & { transcript: Utterance[] | null }, [id: number]>(
  'calls_find',
  `select ${CALL_COLUMNS}, utterances as transcript
   from calls left join call_transcripts t on t.tenant_id = calls.tenant_id and t.call_id = calls.id
   where calls.tenant_id = $1 and calls.id = $2 and is_complete`,
);

/** A complete call with its transcript. */
export const findCall = (scope: TenantScope, id: number) => scope.maybeOne(find, id);

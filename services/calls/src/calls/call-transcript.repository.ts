import type { CallSentiment, Utterance } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { StatedTranscript, TranscriptRank } from '../providers/transcript-choice.rules.ts';

/** What is known of a call's transcript without reading it. */
export interface StoredTranscript extends TranscriptRank {
  /** Which message stated it. */
  message_id: number;
  is_truncated: boolean;
  /** By the customer's words. */
  lexicon_sentiment: CallSentiment | null;
}

const find = tenantSql<StoredTranscript, { callId: number }>(
  'transcripts_find',
  `select message_id, is_truncated, lexicon_sentiment, worth, stage, digest from call_transcripts
   where tenant_id = $tenantId and call_id = $callId`,
);

export const findStoredTranscript = (db: TenantReads, callId: number) => db.maybeOne(find, { callId });

const read = tenantSql<{ utterances: Utterance[] }, { callId: number }>(
  'transcripts_read',
  'select utterances from call_transcripts where tenant_id = $tenantId and call_id = $callId',
);

export const findTranscript = async (db: TenantReads, callId: number): Promise<Utterance[]> =>
  (await db.maybeOne(read, { callId }))?.utterances ?? [];

const put = tenantSql<
  never,
  TranscriptRank & {
    callId: number;
    utterances: string;
    messageId: number;
    isTruncated: boolean;
    sentiment: CallSentiment | null;
  }
>(
  'transcripts_put',
  `insert into call_transcripts
     (tenant_id, call_id, utterances, message_id, is_truncated, lexicon_sentiment, worth, stage, digest)
   values ($tenantId, $callId, $utterances, $messageId, $isTruncated, $sentiment, $worth, $stage, $digest)
   on conflict (tenant_id, call_id) do update set utterances = excluded.utterances,
     message_id = excluded.message_id, is_truncated = excluded.is_truncated,
     lexicon_sentiment = excluded.lexicon_sentiment, worth = excluded.worth, stage = excluded.stage,
     digest = excluded.digest`,
);

/** In the place of the one that is stored. */
export const saveTranscript = (
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  { json, isTruncated, sentiment, rank }: StatedTranscript,
) => {
  const { worth, stage, digest } = rank;
  const stored = { utterances: json, messageId, isTruncated, sentiment };
  return tx.run(put, { callId, ...stored, worth, stage, digest });
};

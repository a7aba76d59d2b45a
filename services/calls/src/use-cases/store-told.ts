import type { TenantTransaction } from '@frontdesk/database';
import { findProgress, savePatch, saveProgress } from '../data/call-patch.repository.ts';
import {
  findStoredTranscript,
  putTranscript,
  type StoredTranscript,
} from '../data/call-transcript.repository.ts';
import type { CallPatch } from '../domain/call-provider.ts';
import { mergeProgress } from '../domain/fold-call.ts';
import { type ToldTranscript, tellsMore } from '../domain/told-transcript.ts';

/** Keeps what a message tells beside what others have told. False where the call has no room for it. */
export async function storePatch(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  patch: CallPatch,
): Promise<boolean> {
  if (patch.stage !== 'progress') return savePatch(tx, callId, messageId, patch);
  const earlier = await findProgress(tx, callId);
  return saveProgress(tx, callId, earlier ? mergeProgress(earlier, patch) : patch);
}

export interface KeptTranscript extends Pick<StoredTranscript, 'is_truncated' | 'lexicon_sentiment'> {
  isChanged: boolean;
}

const NONE = { is_truncated: false, lexicon_sentiment: null };

/** Of all that tell what was said in a call, keeps the text that tells most; the same message replaces its own. */
export async function storeTranscript(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  told: ToldTranscript | null,
): Promise<KeptTranscript> {
  const stored = await findStoredTranscript(tx, callId);
  const isKept =
    told !== null &&
    told.rank.digest !== stored?.digest &&
    (stored === null || stored.message_id === messageId || tellsMore(told.rank, stored));
  if (!isKept) return { ...(stored ?? NONE), isChanged: false };
  await putTranscript(tx, callId, messageId, told);
  return { is_truncated: told.isTruncated, lexicon_sentiment: told.sentiment, isChanged: true };
}

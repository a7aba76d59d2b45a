import type { TenantTransaction } from '@frontdesk/database';
import { findProgress, savePatch, saveProgress } from '../data/call-patch.repository.ts';
import {
  findStoredTranscript,
  type StoredTranscript,
  saveTranscript,
} from '../data/call-transcript.repository.ts';
import type { CallPatch } from '../domain/call-provider.ts';
import { mergeProgress } from '../domain/fold-call.ts';
import { isBetter, type StatedTranscript } from '../domain/transcript-choice.ts';

/** Stores what a message states beside what others have stated. False where the call has reached its limit. */
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

/** Keeps the best text of a call; a message replaces its own. */
export async function storeTranscript(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  stated: StatedTranscript | null,
): Promise<KeptTranscript> {
  const stored = await findStoredTranscript(tx, callId);
  const isKept =
    stated !== null &&
    stated.rank.digest !== stored?.digest &&
    (stored === null || stored.message_id === messageId || isBetter(stated.rank, stored));
  if (!isKept) return { ...(stored ?? NONE), isChanged: false };
  await saveTranscript(tx, callId, messageId, stated);
  return { is_truncated: stated.isTruncated, lexicon_sentiment: stated.sentiment, isChanged: true };
}

import type { TenantTransaction } from '@frontdesk/database';
import { saveTranscript } from '../data/call.repository.ts';
import { lockReceivedMessage, type ReceivedMessage, settleMessage } from '../data/call-message.repository.ts';
import { findPatches, savePatch } from '../data/call-patch.repository.ts';
import { lockCallOf } from '../data/call-state.repository.ts';
import { patchFromJson, patchToJson } from '../domain/call-patch.ts';
import type { CallPatch } from '../domain/call-provider.ts';
import { type CallRecord, toCallRecord } from '../domain/call-record.ts';
import { foldCall } from '../domain/fold-call.ts';
import { type CustomerAnswer, findLink, numberOf } from './find-link.ts';
import { writeCall } from './write-call.ts';

/** What a message tells of which call. */
export interface Told {
  providerCallId: string;
  patch: CallPatch;
}

/**
 * Adds what a message tells to its call and settles it, unless somebody else does. The call is what all of its messages
 * come to together: neither their order nor their repetition matters.
 * @returns what came of the message; null where somebody else settles it
 */
export async function applyPatch(
  tx: TenantTransaction,
  message: ReceivedMessage,
  { providerCallId, patch }: Told,
  context: { country: string; answer: CustomerAnswer | null; announceAfterMs: number },
): Promise<'applied' | 'ignored' | null> {
  if (!(await lockReceivedMessage(tx, message.id))) return null;
  const call = await lockCallOf(tx, { ...message, providerCallId });
  if (!(await savePatch(tx, call.id, message.id, patchToJson(patch)))) {
    const reason = 'Other messages of this call hold all that is kept of one.';
    await settleMessage(tx, message.id, { status: 'ignored', reason, callId: call.id });
    return 'ignored';
  }
  const { facts, ...folded } = foldCall((await findPatches(tx, call.id)).map(patchFromJson));
  const received_at = new Date(Math.min(message.received_at.getTime(), call.received_at.getTime()));
  const record = toCallRecord(facts, {
    receivedAt: received_at,
    classifiesSentiment: call.settings.classifies_sentiment,
  });
  const is_complete = call.is_complete || folded.isComplete;
  const customer_number = is_complete ? numberOf(facts, context.country) : null;
  const { customer_id, isLinkDue } = await findLink(tx, call, customer_number, context.answer);
  const isChanged = await saveTranscript(tx, call.id, record.transcript);
  const state = {
    ...call,
    ...columnsOf(record),
    direction: record.direction ?? call.direction,
    ...{ received_at, is_complete, customer_number, customer_id },
  };
  await writeCall(tx, call, state, {
    isSettled: folded.isFinal || folded.isAnalysed,
    isLinkDue,
    transcript: { utterances: record.transcript, isChanged },
    announceAfterMs: context.announceAfterMs,
  });
  await settleMessage(tx, message.id, { status: 'applied', callId: call.id });
  return 'applied';
}

const columnsOf = (record: CallRecord) => ({
  from_number: record.fromNumber,
  to_number: record.toNumber,
  started_at: record.startedAt,
  ended_at: record.endedAt,
  duration_seconds: record.durationSeconds,
  is_missed: record.isMissed,
  outcome: record.outcome,
  sentiment: record.sentiment,
  sentiment_source: record.sentimentSource,
  quality_score: record.qualityScore,
  summary: record.summary,
  transcript_truncated: record.transcriptTruncated,
  recording_url: record.recordingUrl,
  appointment_id: record.appointmentId,
});

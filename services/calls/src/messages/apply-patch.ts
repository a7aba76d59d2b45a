import type { TenantTransaction } from '@frontdesk/database';
import { lockCallOf } from '../calls/call.repository.ts';
import { callColumns } from '../calls/call-columns.rules.ts';
import { findProgress, listPatches, savePatch, saveProgress } from '../calls/call-patch.repository.ts';
import type { LockedCall } from '../calls/call-state.rules.ts';
import {
  findStoredTranscript,
  type StoredTranscript,
  saveTranscript,
} from '../calls/call-transcript.repository.ts';
import { numberOf } from '../calls/customer-number.rules.ts';
import { foldCall, mergeProgress } from '../calls/fold-call.rules.ts';
import { type EndWaits, writeCall } from '../calls/write-call.ts';
import { findLink } from '../links/find-link.ts';
import type { CallPatch } from '../providers/call-provider.rules.ts';
import { isBetter, type StatedTranscript } from '../providers/transcript-choice.rules.ts';
import { lockReceivedMessage, type ReceivedMessage, settleMessage } from './call-message.repository.ts';
import type { ReadMessage } from './read-raw-message.rules.ts';

export interface AppliedMessage {
  status: 'applied' | 'ignored';
  /** Whether somebody has yet to be asked for the call's customer or appointment. */
  isLinkDue: boolean;
}

/**
 * Adds what a message states to its call and settles it, unless another process does. The call is what all of its messages
 * come to together: neither their order nor their repetition matters.
 * @returns what came of the message; null where somebody else settles it
 */
export async function applyPatch(
  tx: TenantTransaction,
  message: ReceivedMessage,
  { providerCallId, patch, transcript: stated }: Extract<ReadMessage, { kind: 'call' }>,
  { country, waits }: { country: string; waits: EndWaits },
): Promise<AppliedMessage | null> {
  if (!(await lockReceivedMessage(tx, message.id))) return null;
  const call = await lockCallOf(tx, message, providerCallId);
  if (!(await storePatch(tx, call.id, message.id, patch))) {
    const reason = 'The call’s other messages already hold as much as is kept of one call.';
    await settleMessage(tx, message.id, { status: 'ignored', reason, callId: call.id });
    return { status: 'ignored', isLinkDue: call.is_link_due };
  }
  const transcript = await storeTranscript(tx, call.id, message.id, stated);
  const { facts, ...folded } = foldCall(await listPatches(tx, call.id));
  const end_told_at = patch.stage === 'progress' ? call.end_told_at : earlier(call, message);
  const columns = callColumns(facts, {
    endToldAt: end_told_at ?? message.received_at,
    lexiconSentiment: call.settings.classifies_sentiment ? transcript.lexicon_sentiment : null,
  });
  const is_complete = call.is_complete || folded.isComplete;
  const customer_number = is_complete ? numberOf(columns, country) : null;
  const appointment = appointmentOf(call, columns.appointment_id);
  const { customer_id, isLinkDue } = await findLink(tx, call, customer_number, null);
  const state = {
    ...call,
    ...columns,
    direction: columns.direction ?? call.direction,
    transcript_truncated: transcript.is_truncated,
    end_told_at,
    is_complete,
    is_settled: folded.isSettled,
    customer_number,
    customer_id,
    linked_appointment_id: appointment.linked,
    checked_appointment_id: appointment.checked,
    untold_appointment_id: appointment.untold,
  };
  await writeCall(tx, call, state, {
    isLinkDue,
    isAppointmentAwaited: appointment.isAwaited,
    isTranscriptChanged: transcript.isChanged,
    isLengthKnown: folded.isLengthKnown,
    waits,
  });
  await settleMessage(tx, message.id, { status: 'applied', callId: call.id });
  return { status: 'applied', isLinkDue: isLinkDue || appointment.isAwaited };
}

const earlier = ({ end_told_at }: LockedCall, { received_at }: ReceivedMessage) =>
  end_told_at && end_told_at < received_at ? end_told_at : received_at;

/** What is known of an appointment that messages state: of another one than before, nothing. */
function appointmentOf(call: LockedCall, stated: number | null) {
  if (stated === call.appointment_id) {
    const { linked_appointment_id: linked, checked_appointment_id: checked } = call;
    return { linked, checked, untold: call.untold_appointment_id, isAwaited: call.is_appointment_awaited };
  }
  return { linked: null, checked: null, untold: stated, isAwaited: stated !== null };
}

/** Stores what a message states beside what others have stated. False where the call has reached its limit. */
async function storePatch(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  patch: CallPatch,
): Promise<boolean> {
  if (patch.stage !== 'progress') return savePatch(tx, callId, messageId, patch);
  const earlier = await findProgress(tx, callId);
  return saveProgress(tx, callId, earlier ? mergeProgress(earlier, patch) : patch);
}

interface KeptTranscript extends Pick<StoredTranscript, 'is_truncated' | 'lexicon_sentiment'> {
  isChanged: boolean;
}

const NONE = { is_truncated: false, lexicon_sentiment: null };

/** Keeps the best text of a call; a message replaces its own. */
async function storeTranscript(
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

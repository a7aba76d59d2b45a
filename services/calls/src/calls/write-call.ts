import type { EventType } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { updateCall } from './call.repository.ts';
import { callRecord } from './call.rules.ts';
import { countCall } from './call-count.repository.ts';
import { type CallState, isSameRecord, type LockedCall } from './call-state.rules.ts';
import { findTranscript } from './call-transcript.repository.ts';

/** Changes after the end are announced as often as this, with everything that has changed by then. */
const UPDATED_EVERY_MS = 1_000;

type CallEventType = Extract<EventType, `call.${string}`>;

/**
 * How long the end of a call waits at most: for its analysis; for crm to say whose it is, and scheduling whether its
 * appointment exists.
 */
export interface EndWaits {
  analysisMs: number;
  linkMs: number;
}

export interface CallChange {
  /** Whether the customer has yet to be asked for. */
  isLinkDue: boolean;
  /** Whether the end waits for that; left out, it does unless the call is parked. */
  isLinkAwaited?: boolean;
  /** Whether scheduling has yet to be asked about its appointment; left out, that is as before. */
  isAppointmentAwaited?: boolean;
  isTranscriptChanged?: boolean;
  /** Whether the length of the call is known: else it isn't announced as missed before its end is. */
  isLengthKnown?: boolean;
  /** Where a message may have begun a wait. */
  waits?: EndWaits;
  /** Whether the wait is over. */
  isTimeUp?: boolean;
}

/**
 * Writes what a locked call has come to, and the events that are due then: each of `call.missed` and `call.ended` once,
 * each under a version of its own, and of what changes afterwards one `call.updated` when the time for it comes.
 */
export async function writeCall(
  tx: TenantTransaction,
  before: LockedCall,
  given: CallState,
  change: CallChange,
): Promise<void> {
  // They may have become part of another one.
  const isSameCustomer = given.customer_id === before.customer_id;
  const after = isSameCustomer ? { ...given, customer_id: before.current_customer_id } : given;
  const isParked = before.is_parked && after.customer_number === before.customer_number;
  const { isLinkDue, isLengthKnown = false, isTimeUp = false } = change;
  const { isLinkAwaited = isLinkDue && !isParked } = change;
  const isChanged = change.isTranscriptChanged === true || !isSameRecord(before, after);
  const isAwaited = after.is_complete && !before.is_announced;
  const isAsking = isLinkAwaited || (change.isAppointmentAwaited ?? before.is_appointment_awaited);
  const isEnding = isAwaited && (isTimeUp || (after.is_settled && !isAsking));
  const isMissed = after.is_complete && after.is_missed === true && !before.is_missed_announced;
  // At once while the analysis is awaited. When only the customer is, it goes with call.ended, so that both name the customer.
  const isMissing = isMissed && (isEnding || (isLengthKnown && !after.is_settled));
  const isUpdating = before.is_announced && isTimeUp;

  const types: CallEventType[] = [];
  if (isMissing) types.push('call.missed');
  if (isEnding) types.push('call.ended');
  if (isUpdating) types.push('call.updated');

  const isSecond = isEnding && (isMissing || (before.is_missed_announced && !isChanged));
  const isTelling = isChanged || types.length > 0;
  const state = {
    ...after,
    // What readers get now shows the checked appointment alone.
    untold_appointment_id: isTelling ? after.appointment_id : after.untold_appointment_id,
    is_announced: before.is_announced || isEnding,
    is_missed_announced: before.is_missed_announced || isMissing,
  };
  const row = await updateCall(tx, before.id, state, {
    growth: Number(isChanged) + Number(isSecond),
    is_changed: isChanged,
    awaits_nothing: isEnding || isUpdating,
    announce_within_ms: announceWithinMs(before, after, isChanged, change),
    is_link_due: isLinkDue,
  });
  countCall(tx, before, after);

  if (types.length === 0) return;
  const data = callRecord(row, await findTranscript(tx, before.id));
  for (const [nth, type] of types.entries()) {
    const version = row.version - (types.length - 1 - nth);
    tx.emit(type, { aggregateId: before.id, version, data });
  }
}

/** Until the next event at the latest; null where none is waited for, or not anew. */
function announceWithinMs(
  before: LockedCall,
  after: CallState,
  isChanged: boolean,
  { waits }: CallChange,
): number | null {
  if (!after.is_complete) return null;
  if (before.is_announced) return isChanged ? UPDATED_EVERY_MS : null;
  return (after.is_settled ? waits?.linkMs : waits?.analysisMs) ?? null;
}

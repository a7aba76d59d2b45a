import type { EventType, Utterance } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { findTranscript } from '../data/call.repository.ts';
import { countCall } from '../data/call-count.repository.ts';
import { toCall } from '../data/call-row.ts';
import { type CallState, isSameRecord, type LockedCall, updateCall } from '../data/call-state.repository.ts';

export interface CallChange {
  /** Whether there is no more to wait for: the call may be announced as ended. */
  isSettled: boolean;
  isLinkDue: boolean;
  /** Where the transcript may be another one than before. */
  transcript?: { utterances: Utterance[]; isChanged: boolean };
  /** How long an ended call waits for its analysis; where it waits by now, that stays as it is. */
  announceAfterMs?: number;
}

/** Writes what a locked call has come to, and the events that are due then: each of `call.missed` and `call.ended` once. */
export async function writeCall(
  tx: TenantTransaction,
  before: LockedCall,
  after: CallState,
  { isSettled, isLinkDue, transcript, announceAfterMs = 0 }: CallChange,
): Promise<void> {
  const isChanged = transcript?.isChanged === true || !isSameRecord(before, after);
  const isAwaited = after.is_complete && !before.is_announced;
  const isEnding = isAwaited && isSettled;
  const isMissing = after.is_complete && after.is_missed === true && !before.is_missed_announced;
  const isUpdate = after.is_complete && before.is_announced && isChanged;

  const state = {
    ...after,
    is_announced: before.is_announced || isEnding,
    is_missed_announced: before.is_missed_announced || isMissing,
  };
  const announcedAfter = isAwaited && !isSettled ? announceAfterMs : null;
  const row = await updateCall(tx, before.id, state, {
    isChanged,
    announceAfterMs: announcedAfter,
    isLinkDue,
  });
  await countCall(tx, before, after);

  const due: [EventType, boolean][] = [
    ['call.missed', isMissing],
    ['call.ended', isEnding],
    ['call.updated', isUpdate],
  ];
  const types = due.filter(([, isDue]) => isDue).map(([type]) => type as 'call.ended');
  if (types.length === 0) return;
  const data = toCall(row, transcript?.utterances ?? (await findTranscript(tx, before.id)));
  for (const type of types) await tx.emit(type, { aggregateId: before.id, version: row.version, data });
}

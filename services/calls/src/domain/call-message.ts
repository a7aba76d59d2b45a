import type { CallMessage } from '@frontdesk/contracts';

/** A message without its body. */
export interface CallMessageRow extends Omit<CallMessage, 'received_at'> {
  received_at: Date;
}

/** What came in, as those who run a source see it. */
export const callMessageRecord = (row: CallMessageRow): CallMessage => ({
  id: row.id,
  source_id: row.source_id,
  status: row.status,
  reason: row.reason,
  call_id: row.call_id,
  content_type: row.content_type,
  bytes: row.bytes,
  is_test: row.is_test,
  received_at: row.received_at.toISOString(),
});

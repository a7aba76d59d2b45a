import type { CALL_MESSAGE_STATUSES, callMessageSchema } from '@frontdesk/contracts';
import type { z } from 'zod';

export type MessageStatus = (typeof CALL_MESSAGE_STATUSES)[number];

/** A message without its body. */
export interface CallMessageRow {
  id: number;
  source_id: number;
  status: MessageStatus;
  reason: string | null;
  call_id: number | null;
  content_type: string;
  bytes: number;
  is_test: boolean;
  received_at: Date;
}

/** What came in, as those who run a source see it. */
export const callMessageRecord = (row: CallMessageRow): z.infer<typeof callMessageSchema> => ({
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

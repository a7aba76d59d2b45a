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
  ...row,
  received_at: row.received_at.toISOString(),
});

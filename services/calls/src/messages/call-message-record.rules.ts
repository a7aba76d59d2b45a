import { isUtf8 } from 'node:buffer';
import type { CallMessage } from '@frontdesk/contracts';

/** A message without its body. */
export interface CallMessageRow extends Omit<CallMessage, 'received_at'> {
  received_at: Date;
}

/** The body as text. Of bytes that are no text, those beyond ASCII are written as escapes. */
export const shownBody = (body: Buffer): string =>
  isUtf8(body) ? body.toString('utf8') : body.toString('latin1').replace(BEYOND_ASCII, escaped);

const BEYOND_ASCII = /[^\t\n\r -~]/g;
const escaped = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;

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

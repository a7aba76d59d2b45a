import { type CallSource, ingestPath } from '@frontdesk/contracts';
import type { CallSourceRow } from '../data/call-source.repository.ts';

/** A source as those who run it see it: without its secret. */
export const callSourceRecord = (row: CallSourceRow, publicUrl: string): CallSource => ({
  id: row.id,
  provider: row.provider,
  name: row.name,
  ingest_url: publicUrl + ingestPath(row.token),
  secret_last_four: row.secret_last_four,
  is_active: row.is_active,
  settings: row.settings,
  last_message_at: row.last_message_at?.toISOString() ?? null,
  last_test_at: row.last_test_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

import {
  type CallProviderName,
  type CallSource,
  type CallSourceSettings,
  ingestPath,
  type RefusedMessages,
} from '@frontdesk/contracts';

export interface CallSourceRow {
  tenant_id: number;
  id: number;
  /** The secret part of its ingest address. */
  token: string;
  provider: CallProviderName;
  name: string;
  sealed_secret: string;
  secret_last_four: string;
  settings: CallSourceSettings;
  is_active: boolean;
  last_message_at: Date | null;
  last_test_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** A deleted source stays as a row: its calls go on bearing its name. */
  deleted_at: Date | null;
}

/** Messages of a source that were refused for one reason. */
export interface RefusedMessageRow {
  source_id: number;
  reason: string;
  messages: number;
  first_at: Date;
  last_at: Date;
}

/** A source as those who run it see it: without its secret. */
export const callSourceRecord = (
  row: CallSourceRow,
  publicUrl: string,
  refusals: readonly RefusedMessageRow[] = [],
): CallSource => ({
  id: row.id,
  provider: row.provider,
  name: row.name,
  ingest_url: publicUrl + ingestPath(row.token),
  secret_last_four: row.secret_last_four,
  is_active: row.is_active,
  settings: row.settings,
  last_message_at: row.last_message_at?.toISOString() ?? null,
  last_test_at: row.last_test_at?.toISOString() ?? null,
  ...(refusals.length > 0 && { refused: refusals.map(refusedRecord) }),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const refusedRecord = ({ reason, messages, first_at, last_at }: RefusedMessageRow): RefusedMessages => ({
  reason,
  messages,
  first_at: first_at.toISOString(),
  last_at: last_at.toISOString(),
});

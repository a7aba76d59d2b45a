import type { CallMessage, CallProviderName } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findReceivedMessage, settleMessage } from '../data/call-message.repository.ts';
import type { DueRow } from '../data/longest-due.ts';
import type { RawMessage } from '../domain/call-provider.ts';
import type { ReadMessage } from '../domain/read-raw-message.ts';
import { applyPatch } from './apply-patch.ts';
import type { EndWaits } from './write-call.ts';

export interface ReadDeps {
  database: Database;
  tenants: TenantDirectory;
  waits: EndWaits;
  read: (provider: CallProviderName, message: RawMessage) => Promise<ReadMessage>;
  /** There is a call whose customer has to be asked for. */
  onLinkDue: () => void;
}

/**
 * Reads a stored message and settles it: applied to its call, ignored, or unreadable. Any number may do it at once: the transaction
 * begins when the message is read, so that nothing is locked meanwhile.
 * @returns what came of it; null where somebody else has read it
 */
export async function readMessage(
  deps: ReadDeps,
  { tenant_id, id }: DueRow,
): Promise<CallMessage['status'] | null> {
  const scope = deps.database.forTenantInBackground(tenant_id);
  const message = await findReceivedMessage(scope, id);
  if (!message) return null;
  const read = await deps.read(message.provider, {
    body: message.body,
    contentType: message.content_type,
    contentEncoding: message.content_encoding ?? '',
    headers: {},
    url: message.url,
    receivedAt: message.received_at,
  });
  if (read.kind !== 'call') {
    await settleMessage(scope, id, { status: read.kind, reason: read.reason });
    return read.kind;
  }
  const { country } = await deps.tenants.find(tenant_id);
  const context = { country, waits: deps.waits };
  const applied = await scope.transaction((tx) => applyPatch(tx, message, read, context));
  if (applied?.isLinkDue) deps.onLinkDue();
  return applied?.status ?? null;
}

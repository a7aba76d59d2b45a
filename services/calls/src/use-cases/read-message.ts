import type { Database } from '@frontdesk/database';
import type { TenantDirectory } from '@frontdesk/tenants';
import {
  findReceivedMessage,
  type MessageStatus,
  type ReceivedMessage,
  settleMessage,
} from '../data/call-message.repository.ts';
import type { DueRow } from '../data/longest-due.ts';
import { type ParsedMessage, UnreadableMessage } from '../domain/call-provider.ts';
import { PROVIDERS } from '../domain/providers/index.ts';
import { applyPatch } from './apply-patch.ts';
import type { EndWaits } from './write-call.ts';

export interface ReadDeps {
  database: Database;
  tenants: TenantDirectory;
  waits: EndWaits;
  /** There is a call whose customer has to be asked for. */
  onLinkDue: () => void;
}

/**
 * Reads a stored message and settles it: applied to its call, ignored, or unreadable. Any number may do it at once.
 * @returns what came of it; null where somebody else has read it
 */
export async function readMessage(deps: ReadDeps, { tenant_id, id }: DueRow): Promise<MessageStatus | null> {
  const scope = deps.database.forTenantInBackground(tenant_id);
  const message = await findReceivedMessage(scope, id);
  if (!message) return null;
  const parsed = parse(message);
  if (parsed.kind !== 'call') {
    await settleMessage(scope, id, { status: parsed.kind, reason: parsed.reason });
    return parsed.kind;
  }
  const { country } = await deps.tenants.find(tenant_id);
  const context = { country, waits: deps.waits };
  const applied = await scope.transaction((tx) => applyPatch(tx, message, parsed, context));
  if (applied?.isLinkDue) deps.onLinkDue();
  return applied?.status ?? null;
}

function parse(message: ReceivedMessage): ParsedMessage | { kind: 'unreadable'; reason: string } {
  const { body, content_type: contentType, url, received_at: receivedAt } = message;
  try {
    return PROVIDERS[message.provider].parse({ body, contentType, headers: {}, url, receivedAt });
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type CallMessage, type CallRefusal, quotasOf } from '@frontdesk/contracts';
import type { Database, TenantScope } from '@frontdesk/database';
import { AppError, notFound, type SecretBox } from '@frontdesk/service';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { PROVIDERS } from '../providers/providers.rules.ts';
import {
  findIngestSource,
  findSourcesOfTokens,
  type IngestSource,
  noteSourceMessage,
  noteSourceTest,
} from '../sources/call-source.repository.ts';
import { openedSecret } from '../sources/source-secret.ts';
import { findMessageOutcome, type MessageOutcome } from './call-message.repository.ts';
import { storeRawMessage } from './store-message.ts';

export interface ReceiveDeps {
  database: Database;
  secrets: SecretBox;
  /** There is a message to read. */
  onReceived: () => void;
  refused: RefusedMessages;
}

type SourceKey = Pick<IngestSource, 'tenant_id' | 'id'>;

/** Counts the messages that are refused. */
export interface RefusedMessages {
  note(source: SourceKey, reason: CallRefusal, messages?: number): void;
  /** Whether a message of this source has been refused that the table doesn't show yet. */
  isUnwritten(source: SourceKey): boolean;
}

/** How long the answer to a test waits for its reading. */
const READ_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

interface Received {
  id: number;
  status: CallMessage['status'];
  reason?: string | null;
  call_id?: number | null;
}

/**
 * Takes a message in once its signature is verified; what it says is read later on. The same message again is absorbed.
 * The answer to a test says what came of it, unless that takes too long.
 * @throws AppError `not_found`, `unauthorized`, `tenant_suspended`, `rate_limited`; nothing is stored then
 */
export async function receiveMessage(
  { database, secrets, onReceived, refused }: ReceiveDeps,
  token: string,
  message: RawMessage & { isTest: boolean },
): Promise<Received> {
  const source = await findIngestSource(database.systemForRequests, token);
  if (!source) throw notFound('Call source');
  const secret = openedSecret(secrets, source);
  const { settings } = source;
  const provider = PROVIDERS[source.provider];
  if (!provider.verify(message, secret, settings, message.receivedAt)) {
    refused.note(source, provider.faultOf(message, settings, message.receivedAt));
    throw new AppError('unauthorized', 'The signature is not valid, or too old.');
  }
  if (source.is_tenant_suspended) {
    refused.note(source, 'suspended');
    throw new AppError('tenant_suspended', 'This business is suspended.');
  }
  const scope = database.forTenant(source.tenant_id);
  const { id, isNew } = await storeRawMessage(scope, source.id, message, quotasOf(source)).catch((error) => {
    if (error instanceof AppError && error.code === 'rate_limited') refused.note(source, 'quota_used_up');
    throw error;
  });
  if (isNew) onReceived();
  if (message.isTest) {
    await noteSourceTest(scope, source.id);
    return { id, ...(await outcomeOf(scope, id)) };
  }
  const isAfterRefusal = refused.isUnwritten(source);
  if (source.is_touch_due || isAfterRefusal) await noteSourceMessage(scope, source.id, isAfterRefusal);
  return { id, status: 'received' };
}

/** Counts a message that is too large to be read. @param token as it was sent */
export async function refuseTooLarge(
  { database, refused }: Pick<ReceiveDeps, 'database' | 'refused'>,
  token: string,
): Promise<void> {
  const [source] = await findSourcesOfTokens(database.system, [token]);
  if (source) refused.note(source, 'too_large');
}

/** What has come of a stored message; no connection is held while it waits to be read. */
async function outcomeOf(scope: TenantScope, id: number): Promise<MessageOutcome> {
  const end = Date.now() + READ_WITHIN_MS;
  for (;;) {
    const outcome = await findMessageOutcome(scope, id);
    if (outcome && outcome.status !== 'received') return outcome;
    if (Date.now() >= end) return { status: 'received', reason: null, call_id: null };
    await sleep(LOOK_EVERY_MS);
  }
}

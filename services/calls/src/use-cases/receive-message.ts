import { setTimeout as sleep } from 'node:timers/promises';
import { type CallMessage, quotasOf } from '@frontdesk/contracts';
import type { Database, TenantScope } from '@frontdesk/database';
import { AppError, notFound, type SecretBox } from '@frontdesk/service';
import { findMessageOutcome, type MessageOutcome } from '../data/call-message.repository.ts';
import { findIngestSource, noteSourceMessage, noteSourceTest } from '../data/call-source.repository.ts';
import type { RawMessage } from '../domain/call-provider.ts';
import { PROVIDERS } from '../domain/providers/index.ts';
import { openedSecret } from './source-secret.ts';
import { storeRawMessage } from './store-message.ts';

export interface ReceiveDeps {
  database: Database;
  secrets: SecretBox;
  /** There is a message to read. */
  onReceived: () => void;
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
  { database, secrets, onReceived }: ReceiveDeps,
  token: string,
  message: RawMessage & { isTest: boolean },
): Promise<Received> {
  const source = await findIngestSource(database.system, token);
  if (!source) throw notFound('Call source');
  const secret = openedSecret(secrets, source);
  if (!PROVIDERS[source.provider].verify(message, secret, source.settings, message.receivedAt)) {
    throw new AppError('unauthorized', 'The signature is not valid, or too old.');
  }
  if (source.is_tenant_suspended) throw new AppError('tenant_suspended', 'This business is suspended.');
  const scope = database.forTenant(source.tenant_id);
  const { id, isNew } = await storeRawMessage(scope, source.id, message, quotasOf(source));
  if (isNew) onReceived();
  if (message.isTest) {
    await noteSourceTest(scope, source.id);
    return { id, ...(await outcomeOf(scope, id)) };
  }
  if (source.is_touch_due) await noteSourceMessage(scope, source.id);
  return { id, status: 'received' };
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

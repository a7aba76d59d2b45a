import { quotasOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { AppError, notFound, type SecretBox } from '@frontdesk/service';
import { findIngestSource, noteSourceMessage } from '../data/call-source.repository.ts';
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

/**
 * Takes a message in once its signature is verified; what it says is read later on. The same message again is absorbed.
 * @throws AppError `not_found`, `unauthorized`, `tenant_suspended`, `rate_limited`; nothing is stored then
 */
export async function receiveMessage(
  { database, secrets, onReceived }: ReceiveDeps,
  token: string,
  message: RawMessage,
): Promise<{ id: number; status: 'received' }> {
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
  if (source.is_touch_due) await noteSourceMessage(scope, source.id);
  return { id, status: 'received' };
}

import type { Database } from '@frontdesk/database';
import { findAdmin } from '../admins/admin.repository.ts';
import type { Session } from './session.rules.ts';
import type { Sessions } from './session-store.ts';

/**
 * The session of a token. Null where it is over, its admin is gone, or the password has changed. `find` uses
 * it, or only looks.
 */
export async function findSession(
  { database, find }: { database: Database; find: Sessions['find'] },
  token: string,
): Promise<Session | null> {
  const stored = await find(token);
  if (!stored) return null;
  const admin = await findAdmin(database.forTenant(stored.tenantId), stored.adminId);
  if (admin?.credentials_version !== stored.credentialsVersion) return null;
  const { tenantId, adminId, csrfSecret } = stored;
  return { tenantId, adminId, email: admin.email, csrfSecret, token };
}

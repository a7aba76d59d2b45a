import type { Database } from '@frontdesk/database';
import type { Sessions } from '../clients/session-store.ts';
import { findAdmin } from '../data/admin.repository.ts';
import type { Session } from '../domain/session.ts';

/** The owner of a token, by `find`, which uses the session or only looks at it; null where the session is over, its admin gone, or the password a new one. */
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

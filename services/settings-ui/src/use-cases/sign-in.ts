import { randomBytes } from 'node:crypto';
import type { Database } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import type { Sessions } from '../clients/sessions.ts';
import type { SignInAttempts } from '../clients/sign-in-attempts.ts';
import { findAdminByEmail, noteAdminSignIn } from '../data/admin-user.repository.ts';
import type { AdminRow } from '../domain/admin.ts';
import { decoyHash, verifyPassword } from '../domain/password.ts';
import type { Session } from '../domain/session.ts';
import { audited } from './audited.ts';

const CSRF_SECRET_BYTES = 18;

export interface SignInDeps {
  database: Database;
  sessions: Sessions;
  attempts: SignInAttempts;
}

/**
 * A new session for who knows the password. An unknown address and a wrong password take the same time and get the same answer.
 * @throws AppError `unauthorized`, or `rate_limited` before anything is looked at
 */
export async function signIn(
  deps: SignInDeps,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<Session> {
  await deps.attempts.count(email, address);
  const admin = await findAdminByEmail(deps.database, email);
  const fits = await verifyPassword(password, admin?.password_hash ?? (await decoyHash));
  if (!admin) throw refused();
  const actor = { tenantId: admin.tenant_id, name: admin.email, address };
  return audited(deps.database, actor, { action: 'signed_in', subject: '' }, async () => {
    if (!fits) throw refused();
    await noteAdminSignIn(deps.database, admin);
    return beginSession(deps.sessions, admin);
  });
}

const refused = () => new AppError('unauthorized', 'The email or the password is not right.');

/** A session that knows nothing of any before it. */
export async function beginSession(sessions: Sessions, admin: AdminRow): Promise<Session> {
  const csrfSecret = randomBytes(CSRF_SECRET_BYTES).toString('base64url');
  const { tenant_id: tenantId, id: adminId, email } = admin;
  const token = await sessions.begin({
    tenantId,
    adminId,
    credentialsVersion: admin.credentials_version,
    csrfSecret,
  });
  return { tenantId, adminId, email, csrfSecret, token };
}

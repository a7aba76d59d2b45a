import type { Database } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import type { Sessions } from '../clients/sessions.ts';
import type { SignInAttempts } from '../clients/sign-in-attempts.ts';
import { findAdmin, setAdminPassword } from '../data/admin-user.repository.ts';
import { hashPassword, verifyPassword } from '../domain/password.ts';
import type { Session } from '../domain/session.ts';
import { audited } from './audited.ts';
import { beginSession } from './sign-in.ts';

/**
 * Sets another password. All sessions are over with that; this browser gets a new one.
 * @throws AppError 422 on `current_password` where that is not right, `rate_limited` after too many of those
 */
export async function changePassword(
  deps: { database: Database; sessions: Sessions; attempts: SignInAttempts },
  session: Session,
  { current, next, address }: { current: string; next: string; address: string },
): Promise<Session> {
  const { database, sessions, attempts } = deps;
  await attempts.countChange(session);
  const actor = { tenantId: session.tenantId, name: session.email, address };
  return audited(database, actor, { action: 'password_changed', subject: session.email }, async () => {
    const admin = await findAdmin(database, session.tenantId, session.adminId);
    if (!admin || !(await verifyPassword(current, admin.password_hash)))
      throw invalid({ current_password: ['The current password is not right.'] });
    const changed = await setAdminPassword(database, admin, await hashPassword(next));
    if (!changed) throw new AppError('unauthorized', 'Please sign in.');
    await sessions.end(session.token);
    return beginSession(sessions, changed);
  });
}

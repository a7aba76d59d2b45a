import type { TenantScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import type { GatewayClient } from '../clients/gateway.client.ts';
import type { Sessions } from '../clients/session-store.ts';
import type { SignInAttempts } from '../clients/sign-in-attempts.ts';
import { findPasswordHash, setAdminPassword } from '../data/admin.repository.ts';
import { countFailure } from '../data/audit-entry.repository.ts';
import { newDevice } from '../domain/sign-in/device.ts';
import type { Session } from '../domain/sign-in/session.ts';
import type { PasswordHasher } from '../state/password-hasher.ts';
import { audited } from './audited.ts';
import { judgePassword } from './judge-password.ts';
import { beginSession, type SignedIn } from './sign-in.ts';

interface ChangePasswordDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  sessions: Sessions;
  attempts: SignInAttempts;
  passwords: PasswordHasher;
}

/**
 * Sets another password. All sessions are over with that, and no browser is known any more; this one gets a new session, and is.
 * @throws AppError 422 on `current_password` where that is not right, on `new_password` where that is easy to guess;
 *   `rate_limited` after too many of those; `service_unavailable` where too many passwords are being hashed
 */
export async function changePassword(
  scope: TenantScope,
  { gateway, sessions, attempts, passwords }: ChangePasswordDeps,
  session: Session,
  { current, next, address }: { current: string; next: string; address: string },
): Promise<SignedIn> {
  const { tenantId, adminId, email } = session;
  const { isRight } = await attempts.judge({ session }, async () => {
    const hash = await findPasswordHash(scope, adminId);
    return { isRight: await passwords.verify(current, hash, tenantId) };
  });
  const actor = { name: email, address };
  if (!isRight) {
    await countFailure(scope, actor, 'password_changed');
    throw invalid({ current_password: ['The current password is wrong.'] });
  }
  await judgePassword(gateway, { field: 'new_password', password: next, tenantId, email });
  return audited(scope, actor, { action: 'password_changed', subject: email }, async () => {
    const changed = await setAdminPassword(scope, adminId, await passwords.hash(next, tenantId));
    if (!changed) throw new AppError('unauthorized', 'Please sign in.');
    await sessions.end(session.token);
    return { session: await beginSession(sessions, changed), device: newDevice(changed) };
  });
}

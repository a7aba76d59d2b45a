import type { TenantScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import { findPassword, setAdminPassword } from '../admins/admin.repository.ts';
import { countFailure } from '../audit/audit-entry.repository.ts';
import { audited } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { orNull } from '../clients/or-null.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { newDevice } from '../session/device.rules.ts';
import type { Session } from '../session/session.rules.ts';
import type { Sessions } from '../session/session-store.ts';
import { beginSession, type SignedIn } from './sign-in.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

interface ChangePasswordDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  sessions: Sessions;
  attempts: SignInAttempts;
  passwords: PasswordHasher;
}

/**
 * Sets another password. All sessions are over with that, and no browser is known any more; this one gets a new
 * session, and is.
 * @throws AppError 422 on `current_password` where that is not right, on `new_password` where that is easy to guess;
 *   `unauthorized` where somebody else has set another one meanwhile; `rate_limited` after too many of those, or too
 *   many changes; `service_unavailable` where too many passwords are being hashed
 */
export async function changePassword(
  scope: TenantScope,
  { gateway, sessions, attempts, passwords }: ChangePasswordDeps,
  session: Session,
  { current, next, address }: { current: string; next: string; address: string },
): Promise<SignedIn> {
  const { tenantId, adminId, email } = session;
  const { found, isRight } = await attempts.judge({ session }, async () => {
    const found = await findPassword(scope, adminId);
    const isRight = await passwords.verify(current, found?.password_hash ?? null, tenantId);
    return { found, isRight };
  });
  const actor = { name: email, address };
  if (!found || !isRight) {
    await countFailure(scope, actor, 'password_changed');
    throw invalid({ current_password: ['The current password is wrong.'] });
  }
  await judgePassword({ gateway, passwords }, { field: 'new_password', password: next, tenantId, email });
  return attempts.countPasswordChange(session, () =>
    audited(scope, actor, { action: 'password_changed', subject: email }, async () => {
      const hash = await passwords.hash(next, tenantId);
      const signedIn = await scope.transaction(async (tx) => {
        const changed = await setAdminPassword(tx, adminId, hash, found.credentials_version);
        if (!changed) throw new AppError('unauthorized', 'Please sign in.');
        // Before the change is there for good: a Redis that is away or full undoes it.
        return { session: await beginSession(sessions, changed), device: newDevice(changed) };
      });
      // It is void already, like all others from before.
      await orNull(sessions.end(session.token));
      return signedIn;
    }),
  );
}

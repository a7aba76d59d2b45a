import { setAccountPassword } from '../accounts/account.repository.ts';
import { findMember, listMemberships } from '../accounts/membership.repository.ts';
import { auditedForAccount } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { orNull } from '../clients/or-null.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { Client } from '../session/client.rules.ts';
import { type Device, newDevice } from '../session/device.rules.ts';
import { notSignedIn, proofOf, type Session } from '../session/session.rules.ts';
import { type OwnPasswordDeps, requireOwnPassword } from './own-password.ts';
import { beginSession } from './sign-in.ts';

interface ChangePasswordDeps extends OwnPasswordDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  mailLimits: MailLimits;
}

/**
 * Sets another password, which ends all sessions and forgets all known devices. This browser gets a new session, and is
 * known again.
 * @throws AppError 422 on `current_password` where that is not right, on `new_password` where that is easy to guess;
 *   `unauthorized` where somebody else has set another one meanwhile; `rate_limited` after too many of those, or too
 *   many changes; `service_unavailable` where too many passwords are being hashed
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  session: Session,
  { current, next, client }: { current: string; next: string; client: Client },
): Promise<{ session: Session; device: Device }> {
  const { database, gateway, sessions, attempts, passwords, mailLimits } = deps;
  const { tenantId, membershipId, email, proof } = session;
  const { accountId } = proof;
  const { address } = client;
  const system = database.systemForRequests;
  const version = await requireOwnPassword(deps, session, {
    password: current,
    address,
    action: 'password_changed',
    faults: { current_password: ['The current password is wrong.'] },
  });
  await judgePassword({ gateway, passwords }, { field: 'new_password', password: next, tenantId, email });
  const change = { action: 'password_changed', subject: email } as const;
  return attempts.countPasswordChange(accountId, () =>
    auditedForAccount(database, { name: email, address, accountId }, change, async () => {
      const hash = await passwords.hash(next, accountId);
      const member = await findMember(database.forTenant(tenantId), membershipId);
      const memberships = await listMemberships(system, accountId);
      const signedIn = await system.transaction(async (tx) => {
        const changed = await setAccountPassword(tx, accountId, hash, version);
        if (!member || !changed) throw notSignedIn();
        await queueAccountEmail(tx, {
          kind: 'password_changed',
          recipients: [changed.email],
          details: { by: 'session' },
          tenantId,
        });
        // Before the change is there for good: a Redis that is away or full undoes it.
        return {
          session: await beginSession(sessions, member, { proof: proofOf(changed, Date.now()), client }),
          device: newDevice({
            accountId,
            credentialsVersion: changed.credentials_version,
            memberships,
          }),
        };
      });
      // It is void already, like all earlier sessions.
      await orNull(sessions.end(session.token));
      await mailLimits.forgetResets(email);
      return signedIn;
    }),
  );
}

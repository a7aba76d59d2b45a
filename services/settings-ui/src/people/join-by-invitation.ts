import type { Database, SystemScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import { findCredentials } from '../accounts/account.repository.ts';
import {
  acceptByAccount,
  acceptWithPassword,
  findInvitationByToken,
} from '../accounts/invitation.repository.ts';
import { hashToken } from '../accounts/tokens.rules.ts';
import { audited, type Change } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { emailMembers } from '../mail/email-members.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Device, newDevice } from '../session/device.rules.ts';
import type { Session } from '../session/session.rules.ts';

const voidLink = () =>
  invalid({ token: ['This invitation has been used or revoked, or has expired. Please ask for a new one.'] });

/** The invitation of a link, and the account of its address, if there is one. @throws AppError 422 on `token` where the link is void */
export async function requireInvitation(system: SystemScope, token: string) {
  const invitation = await findInvitationByToken(system, hashToken(token));
  if (!invitation) throw voidLink();
  return { invitation, account: await findCredentials(system, invitation.email) };
}

interface JoinDeps {
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
}

interface Accepted {
  accountId: number;
  membershipId: number;
  tenantId: number;
  /** The browser of a new account; null where an account joined that was there before. */
  device: Device | null;
}

/**
 * Accepts an invitation. An account joins once its owner is signed in, and keeps its password. An address without an account
 * gets one, with a new password.
 * @throws AppError 422 on `token`, on `new_password` where it is missing or easy to guess; `unauthorized` where the account has
 *   to sign in first; `tenant_suspended`; `service_unavailable` where the gateway can't say whether it is
 */
export async function joinByInvitation(
  deps: JoinDeps,
  sent: { token: string; password: string | undefined; address: string; session: Session | null },
): Promise<Accepted> {
  const { database, gateway, passwords } = deps;
  const { token, password, address, session } = sent;
  const { invitation, account } = await requireInvitation(database.systemForRequests, token);
  const { tenant_id: tenantId, email, role, invited_by, invited_by_email } = invitation;
  if ((await gateway.tenant({ tenantId })).status === 'suspended')
    throw new AppError('tenant_suspended', 'This business is suspended.');
  if (account) {
    if (session?.proof.accountId !== account.id)
      throw new AppError('unauthorized', `Please sign in as ${account.email} to accept this invitation.`);
  } else if (password === undefined)
    throw invalid({ new_password: [{ text: 'The new_password field is required.', reason: 'required' }] });
  else await judgePassword(deps, { field: 'new_password', password, tenantId, email });

  const change: Change<Accepted> = {
    action: 'invitation_accepted',
    subject: `invited by ${invited_by_email} (member ${invited_by})`,
    // Only once it is accepted: the entry of a refusal doesn't say whether the address has an account.
    actorOf: ({ accountId, membershipId }) => ({ accountId, membershipId }),
  };
  const actor = { name: email, address };
  const scope = database.forTenant(tenantId);
  return audited(scope, actor, change, async () => {
    const hash = account ? null : await passwords.hash(password ?? '', tenantId);
    return scope.transaction(async (tx) => {
      const tokenHash = hashToken(token);
      const joined = account
        ? await acceptByAccount(tx, tokenHash, account.id)
        : await acceptWithPassword(tx, tokenHash, hash ?? '');
      if (!joined) throw voidLink();
      if (joined.is_new) {
        const details = { email, invited_by: invited_by_email, role };
        await emailMembers(tx, { kind: 'new_member', details, except: joined.id });
      }
      const device = account
        ? null
        : newDevice({
            accountId: joined.account_id,
            credentialsVersion: joined.credentials_version,
            memberships: [{ tenant_id: tenantId, id: joined.id }],
          });
      return { accountId: joined.account_id, membershipId: joined.id, tenantId, device };
    });
  });
}

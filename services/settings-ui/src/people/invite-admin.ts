import { INVITATION_DAYS } from '@frontdesk/contracts';
import type { Database, SystemScope, TenantTransaction } from '@frontdesk/database';
import { AppError, invalid, requireQuota } from '@frontdesk/service';
import { findCredentials } from '../accounts/account.repository.ts';
import {
  acceptByAccount,
  acceptWithPassword,
  findInvitationByToken,
  insertInvitationLink,
  renewInvitation,
  saveInvitation,
} from '../accounts/invitation.repository.ts';
import { countOtherAdminsLocked } from '../accounts/member-count.repository.ts';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';
import { audited, type Change } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import type { Composer } from '../mail/compose-email.ts';
import { queueEmail } from '../mail/email.repository.ts';
import { emailMembers } from '../mail/email-members.ts';
import { invitationEmail } from '../mail/link-emails.view.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Device, newDevice } from '../session/device.rules.ts';
import type { Session } from '../session/session.rules.ts';

/** Open ones of a tenant: nobody invites more people at once, and lists stay short. */
const MAX_OPEN = 50;

type MayBeSent = (invitationId: number) => Promise<boolean>;

/**
 * Invites whoever reads the mail of an address. Whether anybody has an account by it, here or elsewhere, is not looked at: the answer and its
 * time are the same. `allowed`: how many admins and invitations the tenant's plan allows. `mayBeSent`: whether one more email of it goes out.
 * @throws AppError 422 on `email` where too many are invited; `quota_exceeded`
 */
export async function inviteAdmin(
  tx: TenantTransaction,
  invitation: { email: string; invitedBy: number; allowed: number; mayBeSent: MayBeSent },
) {
  const { email, invitedBy, allowed, mayBeSent } = invitation;
  requireQuota('admins', { used: await countOtherAdminsLocked(tx, email), allowed });
  const saved = await saveInvitation(tx, { email, invitedBy, days: INVITATION_DAYS, max: MAX_OPEN });
  if (!saved) throw invalid({ email: [`There are ${MAX_OPEN} open invitations: revoke one first.`] });
  if (await mayBeSent(saved.id)) await queueInvitation(tx, { id: saved.id, email });
  return { id: saved.id, email: email.trim(), expires_at: saved.expires_at.toISOString() };
}

/** Sends one more email of an invitation, which lasts longer by that. False where it is gone. */
export async function sendInvitationAgain(
  tx: TenantTransaction,
  { id, mayBeSent }: { id: number; mayBeSent: MayBeSent },
): Promise<boolean> {
  const renewed = await renewInvitation(tx, { id, days: INVITATION_DAYS });
  if (renewed && (await mayBeSent(id))) await queueInvitation(tx, { id, email: renewed.email });
  return renewed !== null;
}

const queueInvitation = (tx: TenantTransaction, { id, email }: { id: number; email: string }) =>
  queueEmail(tx, { kind: 'invitation', recipients: [email.trim()], details: { invitation_id: id } });

/** The link of an invitation is made when its email is: nobody but who gets it ever sees it. */
export const composeInvitation =
  ({ database, settingsUrl }: { database: Database; settingsUrl: string }): Composer<'invitation'> =>
  async ({ tenant_id: tenantId, recipient, details }, findBusiness) => {
    const id = details.at(-1)?.invitation_id;
    if (tenantId === null || id === undefined) return null;
    const token = newToken();
    const scope = database.forTenantInBackground(tenantId);
    const [business, account] = await Promise.all([
      findBusiness(tenantId),
      findCredentials(database.system, recipient),
    ]);
    const invitation = await insertInvitationLink(scope, { id, tokenHash: hashToken(token) });
    if (!invitation) return null;
    return invitationEmail({
      business: business.name ?? 'a business',
      region: business.region,
      invitedBy: invitation.invited_by_email,
      hasAccount: account !== null,
      url: `${settingsUrl}/settings/invitation?token=${token}`,
      expiresAt: invitation.expires_at.toISOString(),
    });
  };

const voidLink = () =>
  invalid({ token: ['This invitation has been used or revoked, or has expired. Please ask for a new one.'] });

/** Whom a link invites, and their account, where they have one. @throws AppError 422 on `token` where the link is not good (any more) */
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
  /** Of a new account: what its browser is known by. */
  device: Device | null;
}

/**
 * Makes a member of whom a link invites. Who has an account joins with it, signed in: no invitation sets its password. Anybody else chooses one.
 * @throws AppError 422 on `token`, on `new_password` where there is none or it is easy to guess; `unauthorized` where the account has to sign
 *   in first; `tenant_suspended`; `service_unavailable` where the gateway can't say whether it is
 */
export async function joinByInvitation(
  deps: JoinDeps,
  sent: { token: string; password: string | undefined; address: string; session: Session | null },
): Promise<Accepted> {
  const { database, gateway, passwords } = deps;
  const { token, password, address, session } = sent;
  const { invitation, account } = await requireInvitation(database.systemForRequests, token);
  const { tenant_id: tenantId, email, invited_by, invited_by_email } = invitation;
  if ((await gateway.tenant(tenantId)).status === 'suspended')
    throw new AppError('tenant_suspended', 'This business is suspended.');
  if (account && session?.proof.accountId !== account.id)
    throw new AppError('unauthorized', `Please sign in as ${account.email} to accept this invitation.`);
  if (!account && password === undefined)
    throw invalid({ new_password: [{ text: 'The new_password field is required.', reason: 'required' }] });
  if (!account && password !== undefined)
    await judgePassword(deps, { field: 'new_password', password, tenantId, email });

  const change: Change<Accepted> = {
    action: 'invitation_accepted',
    subject: `invited by ${invited_by_email} (member ${invited_by})`,
    // Said only of who has joined: a refused one doesn't tell whether the address has an account.
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
        const details = { email, invited_by: invited_by_email };
        await emailMembers(tx, { kind: 'new_member', details, except: joined.id });
      }
      const device = account
        ? null
        : newDevice({
            accountId: joined.account_id,
            credentialsVersion: joined.credentials_version,
            membership: { tenant_id: tenantId, id: joined.id },
          });
      return { accountId: joined.account_id, membershipId: joined.id, tenantId, device };
    });
  });
}

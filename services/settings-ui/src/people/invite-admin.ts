import { INVITATION_DAYS, type MemberRole, ROLE_SCOPES } from '@frontdesk/contracts';
import type { Database, TenantScope, TenantTransaction } from '@frontdesk/database';
import { invalid, notFound, requireQuota } from '@frontdesk/service';
import { findCredentials } from '../accounts/account.repository.ts';
import {
  findInvitationTo,
  insertInvitationLink,
  renewInvitation,
  saveInvitation,
} from '../accounts/invitation.repository.ts';
import { countOtherAdminsLocked } from '../accounts/member-count.repository.ts';
import { holdRole } from '../accounts/membership.repository.ts';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';
import type { Composer } from '../mail/compose-email.ts';
import { queueEmail } from '../mail/email.repository.ts';
import { invitationEmail } from '../mail/link-emails.view.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import { notSignedIn } from '../session/session.rules.ts';
import { requireOwnScopes } from '../ui/page-scopes.rules.ts';

/** Open ones of a tenant: nobody invites more people at once, and lists stay short. */
const MAX_OPEN = 50;

interface InviteDeps {
  scope: TenantScope;
  mailLimits: MailLimits;
}

// These open their transactions themselves: emails are counted before, so that no lock waits for the counter.

/**
 * Invites the owner of an address. Whether it has an account, here or elsewhere, is not looked at: the answer and its time
 * are the same. `allowed`: how many admins and invitations the tenant's plan allows.
 * @throws AppError 422 on `email` where too many are invited; `quota_exceeded`; 401 and 403 where who invites may not any more
 */
export async function inviteAdmin(
  { scope, mailLimits }: InviteDeps,
  {
    email,
    role,
    invitedBy,
    allowed,
  }: { email: string; role: MemberRole; invitedBy: number; allowed: number },
) {
  const invite = (maySend: boolean) =>
    scope.transaction(async (tx) => {
      requireQuota('admins', { used: await countOtherAdminsLocked(tx, email), allowed });
      await requireGiver(tx, invitedBy, role);
      const saved = await saveInvitation(tx, {
        email,
        role,
        invitedBy,
        days: INVITATION_DAYS,
        max: MAX_OPEN,
      });
      if (!saved) throw invalid({ email: [`There are ${MAX_OPEN} open invitations: revoke one first.`] });
      if (maySend) await queueInvitation(tx, saved.id, email);
      return { id: saved.id, email: email.trim(), role, expires_at: saved.expires_at.toISOString() };
    });
  const earlier = await findInvitationTo(scope, email);
  return earlier ? countedOf({ scope, mailLimits }, earlier.id, invite) : invite(true);
}

/**
 * Locks the inviter's role: a demotion at the same time either comes first and refuses this, or comes later and deletes
 * the invitation.
 */
async function requireGiver(tx: TenantTransaction, invitedBy: number, role: MemberRole): Promise<void> {
  const own = await holdRole(tx, invitedBy);
  if (own === null) throw notSignedIn();
  const scopes = ROLE_SCOPES[own];
  requireOwnScopes({ scopes }, ['settings:members', ...ROLE_SCOPES[role]]);
}

/** Sends one more email of an invitation, which lasts longer by that. @throws AppError 404 where it is gone */
export const sendInvitationAgain = (deps: InviteDeps, id: number): Promise<void> =>
  countedOf(deps, id, (maySend) =>
    deps.scope.transaction(async (tx) => {
      const renewed = await renewInvitation(tx, { id, days: INVITATION_DAYS });
      if (!renewed) throw notFound('Invitation');
      if (maySend) await queueInvitation(tx, id, renewed.email);
    }),
  );

/** Nothing is sent where enough emails of it went out: the links in them are good. */
const countedOf = <Result>(
  { scope: { tenantId }, mailLimits }: InviteDeps,
  invitationId: number,
  send: (maySend: boolean) => Promise<Result>,
) => mailLimits.countOfInvitation({ tenantId, invitationId }, send);

const queueInvitation = (tx: TenantTransaction, id: number, email: string) =>
  queueEmail(tx, { kind: 'invitation', recipients: [email.trim()], details: { invitation_id: id } });

/** The link of an invitation is made with its email: nobody but its reader ever sees it. */
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
      role: invitation.role,
      hasAccount: account !== null,
      url: `${settingsUrl}/settings/invitation?token=${token}`,
      expiresAt: invitation.expires_at.toISOString(),
    });
  };

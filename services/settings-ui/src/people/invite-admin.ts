import { INVITATION_DAYS } from '@frontdesk/contracts';
import type { Database, SystemScope, TenantTransaction } from '@frontdesk/database';
import { AppError, invalid, requireQuota } from '@frontdesk/service';
import {
  acceptInvitation,
  findInvitationByToken,
  saveInvitation,
} from '../accounts/invitation.repository.ts';
import { linkTokenHash, newLinkToken } from '../accounts/links.rules.ts';
import { countOtherAdminsLocked } from '../accounts/member-count.repository.ts';
import { findMemberByEmail } from '../accounts/membership.repository.ts';
import { audited } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Device, newDevice } from '../session/device.rules.ts';

/** Open ones of a tenant: nobody invites more people at once, and lists stay short. */
const MAX_OPEN = 50;

/**
 * A link by which somebody else becomes an admin of the tenant, shown this once. Whether the address is known to
 * another tenant is not revealed here. `allowed`: how many admins and invitations the tenant's plan allows.
 * @throws AppError 422 on `email` where it has access already, or too many are invited; `quota_exceeded`
 */
export async function inviteAdmin(
  tx: TenantTransaction,
  invitation: { email: string; invitedBy: number; allowed: number; settingsUrl: string },
) {
  const { email, invitedBy, allowed, settingsUrl } = invitation;
  if (await findMemberByEmail(tx, email)) throw invalid({ email: ['This address already has access.'] });
  requireQuota('admins', { used: await countOtherAdminsLocked(tx, email), allowed });
  const token = newLinkToken();
  const saved = await saveInvitation(tx, {
    email,
    tokenHash: linkTokenHash(token),
    invitedBy,
    days: INVITATION_DAYS,
    max: MAX_OPEN,
  });
  if (!saved) throw invalid({ email: [`There are ${MAX_OPEN} open invitations: revoke one first.`] });
  return {
    id: saved.id,
    email: email.trim(),
    url: `${settingsUrl}/settings/invitation?token=${token}`,
    expires_at: saved.expires_at.toISOString(),
  };
}

const voidLink = () =>
  invalid({ token: ['This invitation has been used or revoked, or has expired. Please ask for a new one.'] });

/** Whom a link invites. @throws AppError 422 on `token` where the link is not good (any more). */
export async function requireInvitation(system: SystemScope, token: string) {
  const invitation = await findInvitationByToken(system, linkTokenHash(token));
  if (!invitation) throw voidLink();
  return invitation;
}

/**
 * Makes an admin of whom a link invites, with this password. @returns what the browser is known by
 * @throws AppError 422 on `token`, on `new_password` where it is easy to guess; `tenant_suspended`;
 *   `service_unavailable` where the gateway can't say whether it is
 */
export async function joinByInvitation(
  deps: { database: Database; gateway: Pick<GatewayClient, 'tenant'>; passwords: PasswordHasher },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<Device> {
  const { database, gateway, passwords } = deps;
  const {
    tenant_id: tenantId,
    email,
    invited_by_email,
  } = await requireInvitation(database.systemForRequests, token);
  const { status } = await gateway.tenant(tenantId);
  if (status === 'suspended') throw new AppError('tenant_suspended', 'This business is suspended.');
  await judgePassword(deps, { field: 'new_password', password, tenantId, email });
  const change = { action: 'invitation_accepted', subject: `invited by ${invited_by_email}` } as const;
  return audited(database.forTenant(tenantId), { name: email, address }, change, async () => {
    const hash = await passwords.hash(password, tenantId);
    const account = await acceptInvitation(database.systemForRequests, linkTokenHash(token), hash);
    if (!account) throw voidLink();
    return newDevice(account);
  });
}

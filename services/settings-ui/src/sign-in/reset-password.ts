import { RESET_MINUTES } from '@frontdesk/contracts';
import type { SystemScope } from '@frontdesk/database';
import { findAccountLink, insertAccountLink, useResetLink } from '../accounts/account-link.repository.ts';
import { listMemberships } from '../accounts/membership.repository.ts';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';
import { auditedForAccount } from '../audit/audited.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import { type Device, newDevice } from '../session/device.rules.ts';
import { voidLink } from './links.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** A link by which the owner of an account sets a new password, within the hour. */
export async function newResetLink(
  system: SystemScope,
  { accountId, settingsUrl }: { accountId: number; settingsUrl: string },
): Promise<{ url: string; expires_at: string }> {
  const token = newToken();
  const { expires_at } = await insertAccountLink(system, {
    tokenHash: hashToken(token),
    accountId,
    purpose: 'reset',
    email: null,
    credentialsVersion: null,
    sessionsVersion: null,
    minutes: RESET_MINUTES,
  });
  return { url: `${settingsUrl}/settings/reset?token=${token}`, expires_at: expires_at.toISOString() };
}

/** The account of a link. @throws AppError 422 on `token` where the link is void */
export async function requireResetLink(system: SystemScope, token: string) {
  const link = await findAccountLink(system, hashToken(token), 'reset');
  if (!link) throw voidLink();
  return link;
}

/**
 * Sets the password by a link, once.
 * @returns the browser as a known device, which has sign-in attempts of its own
 * @throws AppError 422 on `token` where the link is void, on `new_password` where it is easy to guess;
 *   `service_unavailable` where too many wait for hashing
 */
export async function resetPassword(
  deps: Pick<SignInRouteDeps, 'database' | 'gateway' | 'passwords' | 'mailLimits'>,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<Device> {
  const { database, passwords } = deps;
  const system = database.systemForRequests;
  const { id: accountId, email } = await requireResetLink(system, token);
  const memberships = await listMemberships(system, accountId);
  const [latest] = memberships;
  if (!latest) throw voidLink();
  await judgePassword(deps, { field: 'new_password', password, tenantId: latest.tenant_id, email });
  const change = { action: 'password_reset', subject: email } as const;
  return auditedForAccount(database, { name: email, address, accountId }, change, async () => {
    const hash = await passwords.hash(password, accountId);
    const account = await system.transaction(async (tx) => {
      const changed = await useResetLink(tx, hashToken(token), hash);
      if (!changed) throw voidLink();
      await queueAccountEmail(tx, {
        kind: 'password_changed',
        recipients: [changed.email],
        details: { by: 'link' },
        tenantId: latest.tenant_id,
      });
      return changed;
    });
    await deps.mailLimits.forgetResets(account.email);
    return newDevice({
      accountId,
      credentialsVersion: account.credentials_version,
      memberships,
    });
  });
}

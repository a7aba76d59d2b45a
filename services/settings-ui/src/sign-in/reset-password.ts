import { RESET_MINUTES } from '@frontdesk/contracts';
import type { Database, SystemScope, TenantScope } from '@frontdesk/database';
import { invalid, notFound } from '@frontdesk/service';
import { linkTokenHash, newLinkToken } from '../admins/links.rules.ts';
import { findResetLink, saveResetLink, useResetLink } from '../admins/reset-link.repository.ts';
import type { Actor } from '../audit/audit.rules.ts';
import { audited } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Device, newDevice } from '../session/device.rules.ts';

/**
 * A link by which one admin sets a new password, within the hour.
 * @throws AppError 404 where the tenant has no such admin.
 */
export function makeResetLink(
  scope: TenantScope,
  { email, settingsUrl, by }: { email: string; settingsUrl: string; by: Actor },
): Promise<{ url: string; expires_at: string }> {
  return audited(scope, by, { action: 'reset_link_made', subject: email }, async () => {
    const token = newLinkToken();
    const link = { email, tokenHash: linkTokenHash(token), minutes: RESET_MINUTES };
    const saved = await saveResetLink(scope, link);
    if (!saved) throw notFound('Admin');
    return {
      url: `${settingsUrl}/settings/reset?token=${token}`,
      expires_at: saved.expires_at.toISOString(),
    };
  });
}

const voidLink = () =>
  invalid({ token: ['This link has been used or has expired. Please ask for a new one.'] });

/** Whose link it is. @throws AppError 422 on `token` where the link is not good (any more). */
export async function requireResetLink(system: SystemScope, token: string) {
  const link = await findResetLink(system, linkTokenHash(token));
  if (!link) throw voidLink();
  return link;
}

/**
 * Sets the password by a link, once.
 * @returns the device that the browser is from now on, with sign-in attempts of its own
 * @throws AppError 422 on `token` where the link is not good (any more), on `new_password` where it is easy to guess;
 *   `service_unavailable` where too many wait for hashing
 */
export async function resetPassword(
  deps: { database: Database; gateway: Pick<GatewayClient, 'tenant'>; passwords: PasswordHasher },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<Device> {
  const { database, passwords } = deps;
  const { tenant_id: tenantId, email } = await requireResetLink(database.systemForRequests, token);
  await judgePassword(deps, { field: 'new_password', password, tenantId, email });
  const change = { action: 'password_reset', subject: email } as const;
  return audited(database.forTenant(tenantId), { name: email, address }, change, async () => {
    const hash = await passwords.hash(password, tenantId);
    const admin = await useResetLink(database.systemForRequests, linkTokenHash(token), hash);
    if (!admin) throw voidLink();
    return newDevice(admin);
  });
}

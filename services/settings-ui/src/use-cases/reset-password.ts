import type { Database, SystemScope, TenantScope } from '@frontdesk/database';
import { invalid, notFound } from '@frontdesk/service';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { findResetLink, saveResetLink, useResetLink } from '../data/reset-link.repository.ts';
import { OPERATOR } from '../domain/audit.ts';
import { type Device, newDevice } from '../domain/sign-in/device.ts';
import { linkTokenHash, newLinkToken } from '../domain/sign-in/link-token.ts';
import type { PasswordHasher } from '../state/password-hasher.ts';
import { audited } from './audited.ts';
import { judgePassword } from './judge-password.ts';

const VALID_MINUTES = 60;

/** A link by which one admin sets a new password, within the hour. @throws AppError 404 where the tenant has no such admin. */
export function makeResetLink(
  scope: TenantScope,
  { email, settingsUrl }: { email: string; settingsUrl: string },
): Promise<{ url: string; expires_at: string }> {
  return audited(scope, OPERATOR, { action: 'reset_link_made', subject: email }, async () => {
    const token = newLinkToken();
    const link = { email, tokenHash: linkTokenHash(token), minutes: VALID_MINUTES };
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
 * Sets the password by a link, once. @returns the device that the browser is from now on, with sign-in attempts of its own
 * @throws AppError 422 on `token` where the link is not good (any more), on `new_password` where it is easy to guess;
 *   `service_unavailable` where too many wait for hashing
 */
export async function resetPassword(
  deps: { database: Database; gateway: Pick<GatewayClient, 'tenant'>; passwords: PasswordHasher },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<Device> {
  const { database, gateway, passwords } = deps;
  const { tenant_id: tenantId, email } = await requireResetLink(database.system, token);
  await judgePassword(gateway, { field: 'new_password', password, tenantId, email });
  const change = { action: 'password_reset', subject: email } as const;
  return audited(database.forTenant(tenantId), { name: email, address }, change, async () => {
    const hash = await passwords.hash(password, tenantId);
    const admin = await useResetLink(database.system, linkTokenHash(token), hash);
    if (!admin) throw voidLink();
    return newDevice(admin);
  });
}

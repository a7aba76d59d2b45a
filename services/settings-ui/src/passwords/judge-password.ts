import type { GatewayClient } from '../clients/gateway.client.ts';
import { orNull } from '../clients/or-null.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { requireStrongPassword } from './password-policy.rules.ts';

interface JudgeDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: Pick<PasswordHasher, 'estimate'>;
}

/**
 * Judges a password that somebody chooses, also by their business's name where the gateway answers.
 * @throws AppError 422 on `field`; `service_unavailable` where too many passwords are being judged
 */
export async function judgePassword(
  { gateway, passwords }: JudgeDeps,
  { field, password, tenantId, email }: { field: string; password: string; tenantId: number; email: string },
): Promise<void> {
  const business = (await orNull(gateway.tenant({ tenantId })))?.name ?? null;
  await requireStrongPassword(field, password, { email, business }, (judged, names) =>
    passwords.estimate(judged, names, tenantId),
  );
}

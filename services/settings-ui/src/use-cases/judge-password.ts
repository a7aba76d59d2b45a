import type { GatewayClient } from '../clients/gateway.client.ts';
import { requireStrongPassword } from '../domain/sign-in/password-policy.ts';
import { orNull } from './or-null.ts';

/** Judges a password that somebody chooses, also by their business's name where the gateway answers. @throws AppError 422 on `field` */
export async function judgePassword(
  gateway: Pick<GatewayClient, 'tenant'>,
  { field, password, ...owner }: { field: string; password: string; tenantId: number; email: string },
): Promise<void> {
  const tenant = await orNull(gateway.tenant(owner.tenantId));
  await requireStrongPassword(field, password, { email: owner.email, business: tenant?.name ?? null });
}

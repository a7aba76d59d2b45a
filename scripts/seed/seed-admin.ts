import { randomBytes } from 'node:crypto';
import { adminUserSchema } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

/** Who signs in to a demo tenant's settings, as `.local/demo.json` lists it. */
export interface DemoAdmin {
  email: string;
  password: string;
}

const PASSWORD_BYTES = 12;

/**
 * The admin of an earlier seed, or a new one. One whose password was lost gets another: it can't be read back.
 */
export async function ensureAdmin(
  settings: ServiceClient,
  tenantId: number,
  { email, previous }: { email: string; previous: DemoAdmin | undefined },
): Promise<DemoAdmin> {
  const path = `/internal/tenants/${tenantId}/admins`;
  const admins = await settings.request({ method: 'GET', path, schema: adminUserSchema.array() });
  const isThere = admins.some((admin) => admin.email === email);
  if (isThere && previous?.email === email) return previous;
  const body = { email, password: randomBytes(PASSWORD_BYTES).toString('hex') };
  await settings.request(
    isThere
      ? { method: 'PUT', path: `${path}/password`, body, schema: adminUserSchema }
      : { method: 'POST', path, body, schema: adminUserSchema },
  );
  return body;
}

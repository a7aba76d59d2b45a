import type { App } from './app.ts';
import { AppError } from './errors.ts';

/**
 * Behind `requireIdentity`, on a service's internal port: while a tenant is suspended, its admins see everything and change
 * nothing. Operators may.
 * @throws AppError `tenant_suspended`
 */
export function refuseSuspended(app: App, isSuspended: (tenantId: number) => Promise<boolean>): void {
  app.addHook('onRequest', async ({ method, identity, tenantId }) => {
    const isChange = method !== 'GET' && method !== 'HEAD';
    if (isChange && identity.role === 'admin' && (await isSuspended(tenantId)))
      throw new AppError('tenant_suspended', 'This business is suspended.');
  });
}

import { AppError } from '../errors/app-error.ts';
import type { App } from '../http/app.ts';

/**
 * Makes the routes read-only for admins of a suspended tenant; operators may still change things. Register it after
 * `requireIdentity`, on a service's internal port.
 * Requests then fail with AppError `tenant_suspended`.
 */
export function refuseSuspended(app: App, isSuspended: (tenantId: number) => Promise<boolean>): void {
  app.addHook('onRequest', async ({ method, identity, tenantId }) => {
    const isChange = method !== 'GET' && method !== 'HEAD';
    if (isChange && identity.role === 'admin' && (await isSuspended(tenantId)))
      throw new AppError('tenant_suspended', 'This business is suspended.');
  });
}

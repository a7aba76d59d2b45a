import { type App, AppError } from '@frontdesk/service';
import type { TenantStateOf } from './tenant-states.cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the session's tenant is suspended: its admins then see everything and change nothing. */
    isSuspended: boolean;
    /** Its name; null while nobody can tell. */
    businessName: string | null;
  }
  interface FastifyContextConfig {
    /** Admins of a suspended tenant may make this change, because it concerns only themselves. */
    isForSuspended?: boolean;
  }
}

/** Makes all routes read-only for admins of suspended tenants. Register it after `requireSession`. */
export function keepSuspendedReadOnly(app: App, stateOf: TenantStateOf): void {
  app.addHook('onRequest', async (request) => {
    const { isSuspended, name } = await stateOf(request.tenantId);
    request.isSuspended = isSuspended;
    request.businessName = name;
  });
  app.addHook('preValidation', async ({ method, isSuspended, routeOptions }) => {
    if (!isSuspended || method === 'GET' || method === 'HEAD' || routeOptions.config.isForSuspended) return;
    throw new AppError(
      'tenant_suspended',
      'This business is suspended. Nothing can be changed until it is active again.',
    );
  });
}

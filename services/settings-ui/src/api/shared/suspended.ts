import { type App, AppError } from '@frontdesk/service';
import type { IsSuspended } from '../../use-cases/suspensions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session's tenant is suspended: its admins see everything and change nothing. */
    isSuspended: boolean;
  }
  interface FastifyContextConfig {
    /** A change that admins of a suspended tenant may make, as it is about nobody but themselves. */
    isForSuspended?: boolean;
  }
}

/** Refuses every change of a suspended tenant's admins, whichever route it is. Stands behind `requireSession`. */
export function keepSuspendedReadOnly(app: App, isSuspended: IsSuspended): void {
  app.addHook('onRequest', async (request) => {
    request.isSuspended = await isSuspended(request.tenantId);
  });
  app.addHook('preValidation', async ({ method, isSuspended, routeOptions }) => {
    if (!isSuspended || method === 'GET' || method === 'HEAD' || routeOptions.config.isForSuspended) return;
    throw new AppError(
      'tenant_suspended',
      'This account is suspended. Nothing can be changed until it is active again.',
    );
  });
}

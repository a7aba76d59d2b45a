import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page asks several services for much, so each tenant may have only a few such requests at once. */
    isExpensive?: boolean;
  }
}

/** Half of the connections to each service, so that other tenants always find a free one. */
const MAX_PER_TENANT = 4;

/** Bounds how many expensive pages a process makes for one tenant at once, those of clients that have gone included. */
export function limitExpensivePages(app: App): void {
  const underWay = new Map<number, number>();
  const counted = new WeakSet<FastifyRequest>();

  app.addHook('preHandler', async (request) => {
    const { tenantId, routeOptions } = request;
    if (!routeOptions.config.isExpensive) return;
    const count = underWay.get(tenantId) ?? 0;
    if (count >= MAX_PER_TENANT) {
      throw new AppError('rate_limited', 'Too many requests at once. Please try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    underWay.set(tenantId, count + 1);
    counted.add(request);
  });
  // When the page is made, even if the client has gone.
  app.addHook('onSend', async (request) => {
    if (!counted.delete(request)) return;
    const count = (underWay.get(request.tenantId) ?? 0) - 1;
    if (count > 0) underWay.set(request.tenantId, count);
    else underWay.delete(request.tenantId);
  });
}

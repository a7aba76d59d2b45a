import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asks several services for much: only so many at once for each tenant. */
    isExpensive?: boolean;
  }
}

/** Half of the connections to each service: others always find one. */
const MOST_OF_TENANT = 4;

/** Bounds how many expensive pages a process makes for one tenant at once, also for clients that don't wait for them. */
export function limitExpensivePages(app: App): void {
  const underWay = new Map<number, number>();
  const counted = new WeakSet<FastifyRequest>();

  app.addHook('preHandler', async (request) => {
    const { tenantId, routeOptions } = request;
    if (!routeOptions.config.isExpensive) return;
    const count = underWay.get(tenantId) ?? 0;
    if (count >= MOST_OF_TENANT) {
      throw new AppError('rate_limited', 'Too many such pages are being made. Please try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    underWay.set(tenantId, count + 1);
    counted.add(request);
  });
  // Once it is made, whether or not anybody is still there to get it.
  app.addHook('onSend', async (request) => {
    if (!counted.delete(request)) return;
    const count = (underWay.get(request.tenantId) ?? 0) - 1;
    if (count > 0) underWay.set(request.tenantId, count);
    else underWay.delete(request.tenantId);
  });
}

import { Readable } from 'node:stream';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page asks several services for much, so each tenant may have only a few such requests at once. */
    isExpensive?: boolean;
    /** The same of a file, which is sent as slowly as its client reads it: it takes no page's place. */
    isDownload?: boolean;
  }
}

/** Half of the connections to each service, so that other tenants always find a free one. */
const MAX_PAGES = 4;
/** Each uses a connection at most. */
const MAX_DOWNLOADS = 2;

/** Bounds how many expensive pages and downloads a process makes for one tenant at once, those of clients that have gone included. */
export function limitConcurrentRequests(app: App): void {
  limit(app, { max: MAX_PAGES, isCounted: ({ isExpensive = false }) => isExpensive });
  limit(app, { max: MAX_DOWNLOADS, isCounted: ({ isDownload = false }) => isDownload });
}

interface Limit {
  /** For a tenant. */
  max: number;
  isCounted: (config: FastifyContextConfig) => boolean;
}

function limit(app: App, { max, isCounted }: Limit): void {
  const underWay = new Map<number, number>();
  const counted = new WeakSet<FastifyRequest>();

  app.addHook('preHandler', async (request) => {
    const { tenantId, routeOptions } = request;
    if (!isCounted(routeOptions.config)) return;
    const count = underWay.get(tenantId) ?? 0;
    if (count >= max) {
      throw new AppError('rate_limited', 'Too many requests at once. Please try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    underWay.set(tenantId, count + 1);
    counted.add(request);
  });
  const giveBack = (tenantId: number) => {
    const count = (underWay.get(tenantId) ?? 0) - 1;
    if (count > 0) underWay.set(tenantId, count);
    else underWay.delete(tenantId);
  };
  // When the page is made, even if the client has gone; a download, when its last piece is.
  app.addHook('onSend', async (request, _reply, payload) => {
    if (!counted.delete(request)) return;
    if (payload instanceof Readable) payload.once('close', () => giveBack(request.tenantId));
    else giveBack(request.tenantId);
  });
}

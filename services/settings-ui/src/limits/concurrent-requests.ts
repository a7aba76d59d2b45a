import { Readable } from 'node:stream';
import { createFairQueue } from '@frontdesk/fair';
import { type App, AppError, clientGone } from '@frontdesk/service';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page asks several services for much, so each tenant may have only a few such requests at once. */
    isExpensive?: boolean;
    /** The same of a file, which is sent as slowly as its client reads it: it takes no page's place. */
    isDownload?: boolean;
  }
}

/** All but streams, which have places of their own: one tenant's requests must not keep the process from the others'. */
const MAX_REQUESTS = 8;
/** Further ones that wait. */
const MAX_WAITING = 60;
/** Longest wait. */
const WAIT_MS = 5_000;
/** Half of the connections to each service, so that other tenants always find a free one. */
const MAX_PAGES = 4;
/** Each uses a connection at most. */
const MAX_DOWNLOADS = 2;

const tooManyAtOnce = () =>
  new AppError('rate_limited', 'Too many requests at once. Please try again.', {
    headers: { 'retry-after': '1' },
  });

/**
 * Bounds how many requests a process works on for one tenant at once: further ones wait. Of expensive pages and downloads there
 * are fewer, those of clients that have gone included: further ones are refused. To be called after `requireSession`.
 */
export function limitConcurrentRequests(app: App): void {
  queueRequests(app);
  limit(app, { max: MAX_PAGES, isCounted: ({ isExpensive = false }) => isExpensive });
  limit(app, { max: MAX_DOWNLOADS, isCounted: ({ isDownload = false }) => isDownload });
}

/**
 * A request has its place from when it has been read until its answer is made, even if the client has gone: a body that comes slowly
 * and a file that is read slowly keep none.
 */
function queueRequests(app: App): void {
  const queue = createFairQueue<number>({
    perHolder: MAX_REQUESTS,
    waiting: MAX_WAITING,
    waitMs: WAIT_MS,
    refusal: tooManyAtOnce,
  });
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.isLive) return;
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const hold = () => {
      begun.resolve();
      return ended.promise;
    };
    queue.run(request.tenantId, hold, clientGone(reply)).catch(begun.reject);
    ends.set(request, ended.resolve);
    await begun.promise;
  });
  app.addHook('onSend', async (request) => ends.get(request)?.());
}

interface Limit {
  /** For a tenant. */
  max: number;
  isCounted: (config: FastifyContextConfig) => boolean;
}

function limit(app: App, { max, isCounted }: Limit): void {
  const underWay = createFairQueue<number>({ perHolder: max });
  const counted = new WeakSet<FastifyRequest>();

  app.addHook('preHandler', async (request) => {
    const { tenantId, routeOptions } = request;
    if (!isCounted(routeOptions.config)) return;
    if (!underWay.take(tenantId)) throw tooManyAtOnce();
    counted.add(request);
  });
  // When the page is made, even if the client has gone; a download, when its last piece is.
  app.addHook('onSend', async (request, _reply, payload) => {
    if (!counted.delete(request)) return;
    const giveBack = () => underWay.giveBack(request.tenantId);
    if (payload instanceof Readable) payload.once('close', giveBack);
    else giveBack();
  });
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { knowDeprecations } from '../domain/deprecations.ts';
import { pathOf } from '../domain/request-target.ts';

const YEAR_SECONDS = 31_536_000;
/** What decides whose records an answer holds, and in which encoding. */
const DECIDING_HEADERS = 'Authorization, X-API-Key, Accept-Encoding';

/**
 * Headers of every answer: browsers guess no types, and stay with https where that is how the gateway is reached. What a key
 * decides is for nobody's shared cache.
 */
export function responseHeaders(app: App, { publicUrl }: { publicUrl: string | undefined }): void {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (isSecure) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    if (!request.routeOptions.config.takesNoKey) reply.headers(NOT_CACHED);
    done();
  });
}

/** On every answer of a deprecated operation, good or bad, what tells its clients so. */
export function deprecationHeaders(app: App, operations: readonly Operation[]): void {
  const deprecationOf = knowDeprecations(operations);
  if (!deprecationOf) return;
  app.addHook('onRequest', ({ method, url }, reply, done) => {
    const headers = deprecationOf(method, pathOf(url));
    if (headers) reply.headers(headers);
    done();
  });
}

/** How an answer to a key may be cached: by its client alone, which asks each time whether it still holds; without an ETag not at all. */
export function cacheHeaders({ etag, vary }: IncomingHttpHeaders): Record<string, string> {
  return {
    'cache-control': etag === undefined ? 'no-store' : 'private, no-cache',
    vary: vary === undefined ? DECIDING_HEADERS : `${DECIDING_HEADERS}, ${vary}`,
  };
}

/** Of an answer without an ETag. */
export const NOT_CACHED = cacheHeaders({});

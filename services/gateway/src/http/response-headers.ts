import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import fp from 'fastify-plugin';
import { knowDeprecations } from './deprecations.rules.ts';
import { pathOf } from './request-target.rules.ts';

const YEAR_SECONDS = 31_536_000;
/** The request headers that decide which tenant's records an answer holds, and in which encoding. */
const DECIDING_HEADERS = 'Authorization, X-API-Key, Accept-Encoding';

/**
 * Headers of every answer: browsers guess no content types, and keep to https if the gateway's public URL has it. No shared cache
 * keeps the answer to a key.
 */
export const responseHeaders = fp(async (app: App, { publicUrl }: { publicUrl: string | undefined }) => {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (isSecure) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    if (!request.routeOptions.config.takesNoKey) reply.headers(NOT_CACHED);
    done();
  });
});

/** Adds the headers of a deprecation to every answer of a deprecated operation, also to an error. */
export const deprecationHeaders = fp(
  async (app: App, { operations }: { operations: readonly Operation[] }) => {
    const deprecationOf = knowDeprecations(operations);
    if (!deprecationOf) return;
    app.addHook('onRequest', ({ method, url }, reply, done) => {
      const headers = deprecationOf(method, pathOf(url));
      if (headers) reply.headers(headers);
      done();
    });
  },
);

/** The client alone may cache an answer to a key, and has to revalidate it each time. An answer without an ETag is not cached. */
export function cacheHeaders({ etag, vary }: IncomingHttpHeaders): Record<string, string> {
  return {
    'cache-control': etag === undefined ? 'no-store' : 'private, no-cache',
    vary: vary === undefined ? DECIDING_HEADERS : `${DECIDING_HEADERS}, ${vary}`,
  };
}

/** Of an answer without an ETag. */
export const NOT_CACHED = cacheHeaders({});

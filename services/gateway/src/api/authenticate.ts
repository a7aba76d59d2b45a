import { hash } from 'node:crypto';
import { type App, AppError } from '@frontdesk/service';
import { findApiKey } from '../domain/credentials.ts';
import type { KeyAccess } from '../domain/key-access.ts';
import { queryOf } from '../domain/request-target.ts';
import type { KeyCache } from '../state/key-cache.ts';
import type { FailedAttempts } from './failed-attempts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests get here without an API key; what lets them in then is the route's own to say. */
    takesNoKey?: boolean;
  }
  interface FastifyRequest {
    /** Whose key the request carries; null on routes that take none. */
    access: KeyAccess | null;
  }
}

/** Nothing gets past without a key, not even to learn that a path is unknown. */
export function authenticate(
  app: App,
  deps: { keys: KeyCache; failedAttempts: FailedAttempts; onUse: (access: KeyAccess) => void },
): void {
  const { keys, failedAttempts, onUse } = deps;
  app.decorateRequest('access', null);
  app.decorateRequest('tenantId');

  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.takesNoKey) return;
    const key = findApiKey(request.raw.rawHeaders, queryOf(request.url));
    const isSuspect = () => failedAttempts.refusal('address', request) !== null;
    const access = key === null ? null : await keys.resolve(hash('sha256', key, 'hex'), isSuspect);
    if (!access) throw (await failedAttempts.count('address', request)) ?? unauthorized();
    request.access = access;
    request.tenantId = access.tenantId;
    onUse(access);
  });
}

/** One answer for every key that lets no one in, so that it says nothing about the key. */
const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

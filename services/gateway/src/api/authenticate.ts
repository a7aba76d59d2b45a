import { hash } from 'node:crypto';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
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
    const isSuspect = () => failedAttempts.refusal('address', request) !== null;
    const access = await accessOf(request, keys, isSuspect);
    if (!access) throw (await failedAttempts.count('address', request)) ?? unauthorized();
    request.access = access;
    request.tenantId = access.tenantId;
    onUse(access);
  });
}

/** Null without a key that lets anybody in. */
async function accessOf(request: FastifyRequest, keys: KeyCache, isSuspect?: () => boolean) {
  const key = findApiKey(request.raw.rawHeaders, queryOf(request.url));
  return key === null ? null : keys.resolve(hash('sha256', key, 'hex'), isSuspect);
}

/** What the answer of a request that has waited becomes, where its key lets nobody in any more. */
export async function refusedMeanwhile(request: FastifyRequest, keys: KeyCache): Promise<AppError | null> {
  const access = await accessOf(request, keys);
  if (!access) return unauthorized();
  return access.status === 'suspended' ? suspended() : null;
}

/** The answer to a key of a suspended tenant. */
export const suspended = () => new AppError('tenant_suspended', 'This business is suspended.');

/** One answer for every key that lets no one in, so that it says nothing about the key. */
const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

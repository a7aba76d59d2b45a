import { hash } from 'node:crypto';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { suspended } from '../http/errors.rules.ts';
import { queryOf } from '../http/request-target.rules.ts';
import type { FailedAttempts } from '../limits/failed-attempts.ts';
import type { KeyAccess } from './api-key.rules.ts';
import { findApiKey } from './credentials.rules.ts';
import type { KeyCache } from './key.cache.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no API key; it decides by itself which requests it accepts. */
    takesNoKey?: boolean;
  }
  interface FastifyRequest {
    /** Whose key the request carries; null on routes that take none. */
    access: KeyAccess | null;
  }
}

/** Refuses every request without a good key, also one to an unknown path: without a key nobody learns which paths exist. */
export const authentication = fp(
  async (
    app: App,
    deps: { keys: KeyCache; failedAttempts: FailedAttempts; onUse: (access: KeyAccess) => void },
  ) => {
    const { keys, failedAttempts, onUse } = deps;
    app.decorateRequest('access', null);
    app.decorateRequest('tenantId');

    app.addHook('onRequest', async (request) => {
      if (request.routeOptions.config.takesNoKey) return;
      const isSuspect = () => failedAttempts.refusal(request) !== null;
      const access = await accessOf(request, keys, isSuspect);
      if (!access) throw (await failedAttempts.count(request)) ?? unauthorized();
      request.access = access;
      request.tenantId = access.tenantId;
      onUse(access);
    });
  },
  { name: 'authentication' },
);

/** Null without a good key. */
async function accessOf(request: FastifyRequest, keys: KeyCache, isSuspect?: () => boolean) {
  const key = findApiKey(request.raw.rawHeaders, queryOf(request.url));
  return key === null ? null : keys.resolve(hash('sha256', key, 'hex'), isSuspect);
}

/** What a request that has waited gets instead of its answer, if meanwhile its key was revoked or its tenant suspended. */
export async function refusedMeanwhile(request: FastifyRequest, keys: KeyCache): Promise<AppError | null> {
  const access = await accessOf(request, keys);
  if (!access) return unauthorized();
  return access.status === 'suspended' ? suspended() : null;
}

/** One answer to every missing, malformed, unknown or revoked key, so that it says nothing about the key. */
const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

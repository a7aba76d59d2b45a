import { hash } from 'node:crypto';
import { type App, AppError, type ClientAddress, isWithin } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { suspended } from '../http/errors.rules.ts';
import { queryOf } from '../http/request-target.rules.ts';
import type { FailedAttempts } from '../limits/failed-attempts.ts';
import { hasExpired, isNarrowed, type KeyAccess } from './api-key.rules.ts';
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
    deps: {
      keys: KeyCache;
      failedAttempts: FailedAttempts;
      clientAddress: ClientAddress;
      onUse: (access: KeyAccess) => void;
    },
  ) => {
    const { keys, failedAttempts, clientAddress, onUse } = deps;
    app.decorateRequest('access', null);
    app.decorateRequest('tenantId');

    app.addHook('onRequest', async (request) => {
      if (request.routeOptions.config.takesNoKey) return;
      const isSuspect = () => failedAttempts.refusal(request) !== null;
      const access = await accessOf(request, keys, isSuspect);
      if (!access) throw (await failedAttempts.count(request)) ?? unauthorized();
      if (!mayComeFrom(access, clientAddress(request.raw)))
        throw (await failedAttempts.count(request)) ?? networkNotAllowed();
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
  const access = key === null ? null : await keys.resolve(hash('sha256', key, 'hex'), isSuspect);
  return access === null || hasExpired(access, Date.now()) ? null : access;
}

/** The networks of each key that has some, read once for all of its requests. */
const networks = new WeakMap<readonly string[], (address: string) => boolean>();

function mayComeFrom({ networks: allowed }: KeyAccess, address: string): boolean {
  if (allowed === null) return true;
  let includes = networks.get(allowed);
  if (!includes) {
    includes = isWithin(allowed);
    networks.set(allowed, includes);
  }
  return includes(address);
}

/**
 * What a request that has waited gets instead of its answer, if meanwhile its key was revoked or narrowed or held to other
 * networks, has expired, or its tenant was suspended.
 */
export async function refusedMeanwhile(
  request: FastifyRequest,
  { keys, clientAddress }: { keys: KeyCache; clientAddress: ClientAddress },
): Promise<AppError | null> {
  const access = await accessOf(request, keys);
  if (!access) return unauthorized();
  if (!mayComeFrom(access, clientAddress(request.raw))) return networkNotAllowed();
  if (access.status === 'suspended') return suspended();
  // The answer may show what the key may no longer see.
  return request.access && isNarrowed(request.access, access) ? keyHasChanged() : null;
}

const networkNotAllowed = () =>
  new AppError('network_not_allowed', 'This key may not be used from this address.');

const keyHasChanged = () =>
  new AppError('service_unavailable', 'The key has changed meanwhile. Please try again.', {
    headers: { 'retry-after': '1' },
  });

/** One answer to every missing, malformed, unknown, expired or revoked key, so that it says nothing about the key. */
const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

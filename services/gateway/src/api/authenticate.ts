import { hash } from 'node:crypto';
import { unescape as decode } from 'node:querystring';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/access.ts';
import { addressBlock, type ClientAddress } from '../domain/client-address.ts';
import { findApiKey, queryOf } from '../domain/credentials.ts';
import type { KeyCache } from '../domain/key-cache.ts';
import { FAILED_KEY_WINDOWS, PLAN_WINDOWS, rateLimitHeaders, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key the request carries. */
    caller: Caller;
  }
}

export interface Doorkeeper {
  keys: KeyCache;
  limiter: Limiter;
  /** Of its own, so that a flood of addresses can't push tenants out of what is counted locally. */
  failedKeyLimiter: Limiter;
  clientAddress: ClientAddress;
  onUse: (caller: Caller) => void;
}

/**
 * Nothing gets past without a key, not even to learn that a path is unknown. Then, in this order: suspended tenants are
 * refused, the tenant's windows are counted, and what the path says is looked at.
 */
export function authenticate(app: App, deps: Doorkeeper): void {
  const { keys, limiter, onUse } = deps;
  app.decorateRequest('caller');
  app.decorateRequest('tenantId');
  app.decorateRequest('forward', null);

  app.addHook('onRequest', async (request, reply) => {
    const key = findApiKey(request.raw.rawHeaders, queryOf(request.url));
    const caller = key === null ? null : await keys.resolve(hash('sha256', key, 'hex'));
    if (!caller) throw await refusal(request, deps);
    request.caller = caller;
    request.tenantId = caller.tenantId;
    onUse(caller);

    const isSuspended = caller.status === 'suspended';
    const subject = `tenant:${caller.tenantId}`;
    const windows = PLAN_WINDOWS[caller.plan];
    const decision = await (isSuspended ? limiter.peek(subject, windows) : limiter.take(subject, windows));
    reply.headers(rateLimitHeaders(decision));
    if (isSuspended) throw new AppError('tenant_suspended', 'This account is suspended.');
    if (!decision.allowed) throw tooMany('Too many requests.', tighterWindow(decision).secondsLeft);
    if (climbs(request.url)) throw new AppError('not_found', 'Not found.');
  });
}

/** One answer for every key that lets no one in, so that it says nothing about the key; 429 for whoever keeps trying. */
async function refusal(request: FastifyRequest, deps: Doorkeeper): Promise<AppError> {
  const forwardedFor = request.headers['x-forwarded-for'];
  const address = deps.clientAddress(
    request.socket.remoteAddress ?? '',
    [forwardedFor ?? []].flat().join(','),
  );
  const decision = await deps.failedKeyLimiter.take(`address:${addressBlock(address)}`, FAILED_KEY_WINDOWS);
  if (!decision.allowed) return tooMany('Too many failed attempts.', tighterWindow(decision).secondsLeft);
  return new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

const tooMany = (message: string, retryAfterSeconds: number) =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } });

/**
 * Whether the path holds a `.` or `..` step, plain or encoded, or one that begins or ends with two dots. No path of the
 * API does, and the proxy refuses such paths as malformed requests.
 */
function climbs(target: string): boolean {
  const path = target.split('?', 1)[0] as string;
  if (!/[.%\\]/.test(path)) return false;
  return decode(path)
    .split(/[/\\]/)
    .some((step) => step === '.' || step.startsWith('..') || step.endsWith('..'));
}

import { hash } from 'node:crypto';
import { unescape as decode } from 'node:querystring';
import { type App, AppError } from '@frontdesk/service';
import type { Caller } from '../domain/access.ts';
import { findApiKey } from '../domain/credentials.ts';
import type { KeyCache } from '../domain/key-cache.ts';
import { PLAN_WINDOWS, rateLimitHeaders, subjectOf, tighterWindow } from '../domain/rate-limit.ts';
import { pathOf, queryOf } from '../domain/request-target.ts';
import type { Limiter } from '../use-cases/limit-request.ts';
import { type FailedAttempts, tooMany } from './failed-attempts.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests get here without an API key; what lets them in then is another's to say. */
    takesNoKey?: boolean;
  }
  interface FastifyRequest {
    /** Whose key the request carries. */
    caller: Caller;
  }
}

export interface Doorkeeper {
  keys: KeyCache;
  limiter: Limiter;
  failedAttempts: FailedAttempts;
  onUse: (caller: Caller) => void;
  /** Whether a request found room in its tenant's windows. */
  onDecided: (tenantId: number, isAllowed: boolean) => void;
}

/**
 * Nothing gets past without a key, not even to learn that a path is unknown, except where none is taken. Then, in this
 * order: suspended tenants are refused, the tenant's windows are counted, and what the path says is looked at.
 */
export function authenticate(app: App, deps: Doorkeeper): void {
  const { keys, limiter, failedAttempts, onUse, onDecided } = deps;
  app.decorateRequest('caller');
  app.decorateRequest('tenantId');

  app.addHook('onRequest', async (request, reply) => {
    if (request.server.takesNoKey) return;
    const key = findApiKey(request.raw.rawHeaders, queryOf(request.url));
    const isSuspect = () => failedAttempts.refusal('address', request) !== null;
    const caller = key === null ? null : await keys.resolve(hash('sha256', key, 'hex'), isSuspect);
    if (!caller) throw (await failedAttempts.count('address', request)) ?? unauthorized();
    request.caller = caller;
    request.tenantId = caller.tenantId;
    onUse(caller);

    const isSuspended = caller.status === 'suspended';
    const subject = subjectOf(caller.tenantId);
    const windows = PLAN_WINDOWS[caller.plan];
    const decision = await (isSuspended ? limiter.peek(subject, windows) : limiter.take(subject, windows));
    reply.headers(rateLimitHeaders(decision));
    if (isSuspended) throw new AppError('tenant_suspended', 'This account is suspended.');
    onDecided(caller.tenantId, decision.allowed);
    if (!decision.allowed) throw tooMany('Too many requests.', tighterWindow(decision).secondsLeft);
    if (climbs(request.url)) throw new AppError('not_found', 'Not found.');
  });
}

/** One answer for every key that lets no one in, so that it says nothing about the key. */
const unauthorized = () =>
  new AppError('unauthorized', 'A valid API key is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/**
 * Whether the path holds a `.` or `..` step, plain or encoded, or one that begins or ends with two dots. No path of the
 * API does, and the proxy refuses such paths as malformed requests.
 */
function climbs(target: string): boolean {
  const path = pathOf(target);
  if (!/[.%\\]/.test(path)) return false;
  return decode(path)
    .split(/[/\\]/)
    .some((step) => step === '.' || step.startsWith('..') || step.endsWith('..'));
}

import { hash } from 'node:crypto';
import { unescape as decode } from 'node:querystring';
import { AppError } from '@frontdesk/service';
import type { Caller } from '../domain/access.ts';
import { findApiKey } from '../domain/credentials.ts';
import type { KeyCache } from '../domain/key-cache.ts';
import { PLAN_WINDOWS, rateLimitHeaders, subjectOf, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';
import { type FailedAttempts, tooMany } from './failed-attempts.ts';
import type { RequestContext } from './request-context.ts';

interface Doorkeeper {
  keys: KeyCache;
  limiter: Limiter;
  failedAttempts: FailedAttempts;
  onUse: (caller: Caller) => void;
  /** Whether a request found room in its tenant's windows. */
  onDecided: (tenantId: number, isAllowed: boolean) => void;
}

/**
 * Nothing gets past without a key, not even to learn that a path is unknown. Then, in this order: suspended tenants are
 * refused, the tenant's windows are counted, and what the path says is looked at.
 */
export function createAuthentication(deps: Doorkeeper): (context: RequestContext) => Promise<void> {
  const { keys, limiter, failedAttempts, onUse, onDecided } = deps;

  return async (context) => {
    const { request } = context;
    const key = findApiKey(request.rawHeaders, context.query);
    const isSuspect = () => failedAttempts.refusal('address', request) !== null;
    const caller = key === null ? null : await keys.resolve(hash('sha256', key, 'hex'), isSuspect);
    if (!caller) throw (await failedAttempts.count('address', request)) ?? unauthorized();
    context.caller = caller;
    onUse(caller);

    const isSuspended = caller.status === 'suspended';
    const subject = subjectOf(caller.tenantId);
    const windows = PLAN_WINDOWS[caller.plan];
    const decision = await (isSuspended ? limiter.peek(subject, windows) : limiter.take(subject, windows));
    Object.assign(context.headers, rateLimitHeaders(decision));
    if (isSuspended) throw new AppError('tenant_suspended', 'This account is suspended.');
    onDecided(caller.tenantId, decision.allowed);
    if (!decision.allowed) throw tooMany('Too many requests.', tighterWindow(decision).secondsLeft);
    if (climbs(context.path)) throw new AppError('not_found', 'Not found.');
  };
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
function climbs(path: string): boolean {
  if (!/[.%\\]/.test(path)) return false;
  return decode(path)
    .split(/[/\\]/)
    .some((step) => step === '.' || step.startsWith('..') || step.endsWith('..'));
}

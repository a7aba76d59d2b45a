import type { App } from '@frontdesk/service';
import { PLAN_WINDOWS, rateLimitHeaders, subjectOf } from '../domain/rate-limit.ts';
import { suspended } from './authenticate.ts';
import { type Limiter, tooMany } from './limiter.ts';

/** Counts each request in the windows of its tenant's plan. Those of suspended tenants are refused and not counted. */
export function limitTenants(
  app: App,
  deps: {
    limiter: Limiter;
    /** Whether its tenant's windows allowed a request. */
    onDecided: (tenantId: number, isAllowed: boolean) => void;
  },
): void {
  const { limiter, onDecided } = deps;
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request;
    if (!access) return;
    const isSuspended = access.status === 'suspended';
    const subject = subjectOf(access.tenantId);
    const windows = PLAN_WINDOWS[access.plan];
    const decision = await (isSuspended
      ? limiter.peek(request, subject, windows)
      : limiter.take(request, subject, windows));
    reply.headers(rateLimitHeaders(decision));
    if (isSuspended) throw suspended();
    onDecided(access.tenantId, decision.allowed);
    if (!decision.allowed) throw tooMany('Too many requests.', decision);
  });
}

import { PLAN_LIMITS } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { suspended } from '../http/errors.rules.ts';
import { type CreateLimiter, tooMany } from './limiter.ts';
import { DAY, MINUTE, rateLimitHeaders, subjectOf } from './rate-limit.rules.ts';

const limitsOf = ({ access }: FastifyRequest) =>
  PLAN_LIMITS[(access as NonNullable<FastifyRequest['access']>).plan];

/** Counts each request in the windows of its tenant's plan. Requests of suspended tenants are refused and not counted. */
export const tenantLimits = fp(
  async (
    app: App,
    deps: {
      createLimiter: CreateLimiter;
      /** Whether its tenant's windows allowed a request. */
      onDecided: (tenantId: number, isAllowed: boolean) => void;
    },
  ) => {
    const limiter = deps.createLimiter({
      name: 'tenant',
      keyOf: ({ tenantId }) => subjectOf(tenantId),
      windows: [
        { name: 'minute', seconds: MINUTE, limitOf: (request) => limitsOf(request).perMinute },
        { name: 'day', seconds: DAY, limitOf: (request) => limitsOf(request).perDay },
      ],
    });
    app.addHook('onRequest', async (request, reply) => {
      const { access } = request;
      if (!access) return;
      const isSuspended = access.status === 'suspended';
      const decision = await (isSuspended ? limiter.peek(request) : limiter.take(request));
      reply.headers(rateLimitHeaders(decision));
      if (isSuspended) throw suspended();
      deps.onDecided(access.tenantId, decision.allowed);
      if (!decision.allowed) throw tooMany('Too many requests.', decision);
    });
  },
  { name: 'tenant-limits', dependencies: ['@fastify/rate-limit', 'authentication'] },
);

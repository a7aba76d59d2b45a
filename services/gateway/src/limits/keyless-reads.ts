import rateLimit from '@fastify/rate-limit';
import type { App } from '@frontdesk/service';
import fp from 'fastify-plugin';
import type { AddressOf } from './failed-attempts.ts';
import { rateLimited } from './limiter.ts';
import { MINUTE } from './rate-limit.rules.ts';
import type { RateLimitMetrics } from './rate-limit-metrics.ts';

/** Pages and files that one address may read in a minute, at each gateway: many readers may share an address. */
const PER_MINUTE = 600;
const MAX_ADDRESSES = 10_000;
const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
};

/**
 * Limits reads without a key, on the routes of a scope, by the client's address. Answers and counts are in the memory of this process,
 * so a flood of reads costs requests with a key some processor time and nothing else.
 */
export const keylessReads = fp(
  async (scope: App, { addressOf, metrics }: { addressOf: AddressOf; metrics: RateLimitMetrics }) => {
    const noteDecision = metrics.decided('keyless_reads');
    await scope.register(rateLimit, {
      max: PER_MINUTE,
      timeWindow: MINUTE * 1_000,
      cache: MAX_ADDRESSES,
      keyGenerator: addressOf,
      addHeaders: NO_HEADERS,
      addHeadersOnExceeding: NO_HEADERS,
      onExceeding: () => noteDecision({ allowed: true, scope: 'local' }),
      onExceeded: () => noteDecision({ allowed: false, scope: 'local' }),
      errorResponseBuilder: (_request, { ttl }) => rateLimited('Too many requests.', Math.ceil(ttl / 1_000)),
    });
  },
  { name: 'keyless-reads' },
);

import type { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { decisionFor, perMinute } from '../domain/rate-limit.ts';
import { createLocalLimiter } from '../state/local-limiter.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { tooMany } from './limiter.ts';

/** Pages and files that one address may read, at each gateway: many readers may share one. */
const WINDOWS = perMinute(600);

/**
 * Counts what is read without a key, by the client's address: null, or 429. The answers are in memory and the count stays in this
 * process, so that a flood of them takes nothing from requests with a key but its own turns.
 */
export function createKeylessReads(deps: {
  addressOf: FailedAttempts['addressOf'];
  metrics: GatewayMetrics;
}): (request: FastifyRequest) => AppError | null {
  const limiter = createLocalLimiter();
  const count = deps.metrics.decided('keyless_reads');
  return (request) => {
    const grant = limiter.take(deps.addressOf(request), WINDOWS, 1);
    const decision = decisionFor(WINDOWS, grant, 'local');
    count(decision);
    return decision.allowed ? null : tooMany('Too many requests.', decision);
  };
}

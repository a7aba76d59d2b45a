import type { Metrics } from '@frontdesk/service';
import { Counter } from 'prom-client';
import { type Decision, SCOPES } from './rate-limit.rules.ts';

export interface RateLimitMetrics {
  /** @returns notes a decision of the limiter of this name */
  decided(limiter: string): (decision: Pick<Decision, 'allowed' | 'scope'>) => void;
}

const OUTCOMES = ['allowed', 'denied'] as const;

export function createRateLimitMetrics({ registry }: Metrics): RateLimitMetrics {
  const decisions = new Counter({
    name: 'gateway_rate_limit_decisions_total',
    help: 'Decisions of a limiter by outcome and by scope: shared in Redis, or local while that is away.',
    labelNames: ['limiter', 'outcome', 'scope'],
    registers: [registry],
  });
  return {
    decided(limiter) {
      // Begins at 0: Prometheus sees no increase of a counter that appears with its first refusal.
      for (const scope of SCOPES)
        for (const outcome of OUTCOMES) decisions.inc({ limiter, outcome, scope }, 0);
      return ({ allowed, scope }) =>
        decisions.inc({ limiter, outcome: allowed ? 'allowed' : 'denied', scope });
    },
  };
}

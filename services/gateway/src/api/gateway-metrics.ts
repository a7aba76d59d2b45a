import type { Plan } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge } from 'prom-client';
import { type Decision, SCOPES } from '../domain/rate-limit.ts';
import type { KeyCache, KeyFound } from '../state/key-cache.ts';

export interface GatewayMetrics {
  /** A request of a tenant on this plan, or of nobody who is known. */
  answered(route: string, status: number, plan: Plan | null): void;
  /** For a limiter of this name. */
  decided(limiter: string): (decision: Decision) => void;
  keyResolved(found: KeyFound): void;
  watchKeys(keys: Pick<KeyCache, 'size'>): void;
}

const OUTCOMES = ['allowed', 'denied'] as const;

/** Metrics of the gateway alone. No label takes a value that a client makes up. */
export function createGatewayMetrics({ registry }: Metrics): GatewayMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by route, status and plan of the tenant; plan is none where no key was good.',
    labelNames: ['route', 'status', 'plan'],
    registers,
  });
  const decisions = new Counter({
    name: 'gateway_rate_limit_decisions_total',
    help: 'Decisions of a limiter by outcome and by scope: shared in Redis, or local while that is away.',
    labelNames: ['limiter', 'outcome', 'scope'],
    registers,
  });
  const keys = new Counter({
    name: 'gateway_key_lookups_total',
    help: 'Keys by how they were found: remembered, remembered as nobody’s, or looked up.',
    labelNames: ['found'],
    registers,
  });
  return {
    answered: (route, status, plan) => requests.inc({ route, status, plan: plan ?? 'none' }),
    decided(limiter) {
      // From 0 on: of a counter that begins with its first refusal, Prometheus sees no increase.
      for (const scope of SCOPES)
        for (const outcome of OUTCOMES) decisions.inc({ limiter, outcome, scope }, 0);
      return ({ allowed, scope }) =>
        decisions.inc({ limiter, outcome: allowed ? 'allowed' : 'denied', scope });
    },
    keyResolved: (found) => keys.inc({ found }),
    watchKeys({ size }) {
      new Gauge({
        name: 'gateway_keys_remembered',
        help: 'Keys in memory, good ones and such as are nobody’s.',
        labelNames: ['kind'],
        registers,
        collect() {
          const { good, unknown } = size();
          this.set({ kind: 'good' }, good);
          this.set({ kind: 'unknown' }, unknown);
        },
      });
    },
  };
}

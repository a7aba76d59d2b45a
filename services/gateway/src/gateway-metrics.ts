import type { Plan } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge } from 'prom-client';
import type { KeyCache, KeyFound } from './keys/key.cache.ts';

export interface GatewayMetrics {
  /** A request was answered. `plan` is its tenant's; null where no key was good. */
  answered(route: string, status: number, plan: Plan | null): void;
  keyResolved(found: KeyFound): void;
  watchKeys(keys: Pick<KeyCache, 'size'>): void;
}

/** Metrics of requests and keys. No label takes a value that a client makes up. */
export function createGatewayMetrics({ registry }: Metrics): GatewayMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by route, status and plan of the tenant; plan is none where no key was good.',
    labelNames: ['route', 'status', 'plan'],
    registers,
  });
  const keys = new Counter({
    name: 'gateway_key_lookups_total',
    help: 'Keys by how they were found: in the cache as good, in the cache as unknown, or by a look-up.',
    labelNames: ['found'],
    registers,
  });
  return {
    answered: (route, status, plan) => requests.inc({ route, status, plan: plan ?? 'none' }),
    keyResolved: (found) => keys.inc({ found }),
    watchKeys({ size }) {
      new Gauge({
        name: 'gateway_keys_remembered',
        help: 'Keys in the cache, good ones and unknown ones.',
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

import type { Backend, BackendDispatcher, BackendFailure, Metrics } from '@frontdesk/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { UpstreamMetrics } from './upstream.client.ts';

const FAILURE_REASONS: readonly BackendFailure[] = ['unreachable', 'timeout', 'broken'];

export function createUpstreamMetrics({ registry }: Metrics): UpstreamMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'gateway_upstream_duration_seconds',
    help: 'Seconds until a backend’s answer began, or until it was clear that none would.',
    labelNames: ['upstream'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  const failures = new Counter({
    name: 'gateway_upstream_failures_total',
    help: 'Calls to one address of a backend without an answer, or without a whole one: unreachable, timeout or broken.',
    labelNames: ['upstream', 'reason'],
    registers,
  });
  const watched = new Map<string, BackendDispatcher>();
  new Gauge({
    name: 'gateway_upstream_addresses',
    help: 'Addresses of a backend: in use, or resting: with an open breaker, unreachable, or silent.',
    labelNames: ['upstream', 'state'],
    registers,
    collect() {
      for (const [upstream, { addresses }] of watched) {
        const backends = addresses.backends();
        const outOfUse = backends.filter(isOutOfUse).length;
        this.set({ upstream, state: 'resting' }, outOfUse);
        this.set({ upstream, state: 'in_use' }, backends.length - outOfUse);
      }
    },
  });
  new Gauge({
    name: 'gateway_upstream_calls',
    help: 'Calls to a backend that wait for a connection or are under way.',
    labelNames: ['upstream'],
    registers,
    collect() {
      for (const [upstream, { addresses }] of watched)
        this.set(
          { upstream },
          addresses.backends().reduce((sum, { calls }) => sum + calls.size(), 0),
        );
    },
  });
  new Gauge({
    name: 'gateway_upstream_waiting',
    help: 'Requests that have not begun and wait for a process of a backend.',
    labelNames: ['upstream'],
    registers,
    collect() {
      for (const [upstream, dispatcher] of watched) this.set({ upstream }, dispatcher.waiting());
    },
  });
  return {
    took: (upstream, seconds) => duration.observe({ upstream }, seconds),
    failed: (upstream, reason) => failures.inc({ upstream, reason }),
    watch(upstream, dispatcher) {
      watched.set(upstream, dispatcher);
      for (const reason of FAILURE_REASONS) failures.inc({ upstream, reason }, 0);
    },
  };
}

const isOutOfUse = ({ circuit, liveness }: Backend) =>
  circuit.openForMs() > 0 || liveness.isUnreachable() || liveness.isSilent();

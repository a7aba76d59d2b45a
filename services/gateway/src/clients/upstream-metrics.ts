import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Backend } from './balancer.ts';

const FAILURE_REASONS = ['unreachable', 'timeout', 'broken'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface UpstreamMetrics {
  /** Seconds until an answer began or could not be had any more. */
  took(upstream: string, seconds: number): void;
  failed(upstream: string, reason: FailureReason): void;
  /** Reports its addresses whenever it is asked. */
  watch(upstream: string, backends: () => readonly Backend[]): void;
}

export function createUpstreamMetrics({ registry }: Metrics): UpstreamMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'gateway_upstream_duration_seconds',
    help: 'Seconds until a backend’s answer began, or could not be had any more.',
    labelNames: ['upstream'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  const failures = new Counter({
    name: 'gateway_upstream_failures_total',
    help: 'Calls to one address of a backend that brought no answer, or none that was whole: unreachable, timeout or broken.',
    labelNames: ['upstream', 'reason'],
    registers,
  });
  const watched = new Map<string, () => readonly Backend[]>();
  new Gauge({
    name: 'gateway_upstream_addresses',
    help: 'Addresses behind a backend’s name: in use, or resting after failures (breaker open).',
    labelNames: ['upstream', 'state'],
    registers,
    collect() {
      for (const [upstream, backends] of watched) {
        const resting = backends().filter(({ circuit }) => circuit.restMs() > 0).length;
        this.set({ upstream, state: 'resting' }, resting);
        this.set({ upstream, state: 'in_use' }, backends().length - resting);
      }
    },
  });
  new Gauge({
    name: 'gateway_upstream_calls',
    help: 'Calls to a backend that are in line or under way.',
    labelNames: ['upstream'],
    registers,
    collect() {
      for (const [upstream, backends] of watched)
        this.set(
          { upstream },
          backends().reduce((sum, { line }) => sum + line.size(), 0),
        );
    },
  });
  return {
    took: (upstream, seconds) => duration.observe({ upstream }, seconds),
    failed: (upstream, reason) => failures.inc({ upstream, reason }),
    watch(upstream, backends) {
      watched.set(upstream, backends);
      for (const reason of FAILURE_REASONS) failures.inc({ upstream, reason }, 0);
    },
  };
}

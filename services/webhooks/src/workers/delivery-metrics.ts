import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { AttemptResult, RecordedResult } from '../data/queue.repository.ts';

export function createDeliveryMetrics(options: {
  metrics: Metrics;
  inFlight: () => number;
  oldestDueSeconds: () => Promise<number>;
}) {
  const { inFlight, oldestDueSeconds } = options;
  const registers = [options.metrics.registry];
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that came to an end: delivered, failed or cancelled.',
    labelNames: ['outcome'],
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by what came of them: success, or the class of the error.',
    labelNames: ['result'],
    registers,
  });
  const lateResults = new Counter({
    name: 'webhook_late_results_total',
    help: 'Results that came after the end of their lease and were fenced off.',
    registers,
  });
  const unsigned = new Counter({
    name: 'webhook_unsigned_total',
    help: 'Deliveries that were put off, as the key of their endpoint’s secret is missing in this process.',
    registers,
  });
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Seconds from sending to the end of the answer.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  new Gauge({
    name: 'webhook_deliveries_in_flight',
    help: 'Deliveries in flight in this process.',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'How long the longest waiting delivery has been due; 0 where none is.',
    registers,
    async collect() {
      // Unknown while the database is away: the other metrics are wanted most just then.
      this.set(await oldestDueSeconds().catch(() => Number.NaN));
    },
  });

  return {
    /** A delivery was put off, as its endpoint's secret can't be read here. */
    unsigned: () => unsigned.inc(),
    /** `recorded`: those of the results whose lease still held. */
    recorded(results: readonly AttemptResult[], recorded: readonly RecordedResult[]) {
      for (const { outcome } of results) {
        attempts.inc({ result: outcome.errorClass ?? 'success' });
        duration.observe(outcome.durationMs / 1_000);
      }
      for (const { status } of recorded) if (status !== 'pending') deliveries.inc({ outcome: status });
      lateResults.inc(results.length - recorded.length);
    },
  };
}

import { type Metrics, readTogether } from '@frontdesk/service';
import { Counter, Histogram } from 'prom-client';
import type { AttemptResult, QueueCounts, RecordedResult } from '../queue/queue.repository.ts';
import { MOST_COUNTED } from '../queue/queue.statements.ts';

export function createDeliveryMetrics(options: {
  metrics: Metrics;
  oldestDueSeconds: () => Promise<number>;
  countQueue: () => Promise<QueueCounts>;
}) {
  const { watch } = options.metrics;
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
  const latency = new Histogram({
    name: 'webhook_delivery_latency_seconds',
    help: 'Seconds from when a delivery was made to when it was delivered, where it was never sent again by hand.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200],
    registers,
  });
  const oldest = 'How long the longest waiting delivery has been due; 0 where none is.';
  watch({ name: 'webhook_oldest_due_seconds', help: oldest }, options.oldestDueSeconds);
  const counts = readTogether(options.countQueue);
  const queue = `Deliveries in the queue: waiting, counted up to ${MOST_COUNTED}, or leased by a process.`;
  watch({ name: 'webhook_queue_deliveries', help: queue, labelNames: ['state'] }, async () => {
    const { waiting, leased } = await counts();
    return [
      { labels: { state: 'waiting' }, value: waiting },
      { labels: { state: 'leased' }, value: leased },
    ];
  });
  const open = 'Endpoints whose circuit breaker is open.';
  watch({ name: 'webhook_endpoints_open', help: open }, async () => (await counts()).open_endpoints);

  return {
    watchInFlight(inFlight: () => number) {
      watch(
        { name: 'webhook_deliveries_in_flight', help: 'Deliveries in flight in this process.' },
        inFlight,
      );
    },
    /** A delivery was put off, as its endpoint's secret can't be read here. */
    unsigned: () => unsigned.inc(),
    /** `recorded`: those of the results whose lease still held. */
    recorded(results: readonly AttemptResult[], recorded: readonly RecordedResult[]) {
      for (const { outcome } of results) {
        attempts.inc({ result: outcome.errorClass ?? 'success' });
        duration.observe(outcome.durationMs / 1_000);
      }
      for (const { status, latencyMs } of recorded) {
        if (status !== 'pending') deliveries.inc({ outcome: status });
        if (latencyMs !== null) latency.observe(latencyMs / 1_000);
      }
      lateResults.inc(results.length - recorded.length);
    },
  };
}

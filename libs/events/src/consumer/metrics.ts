import type { Metrics } from '@frontdesk/service';
import type { Batch } from 'kafkajs';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Consumers of one process share their metrics: the first one registers them. */
function once<Metric>({ registry }: Metrics, name: string, create: () => Metric): Metric {
  return (registry.getSingleMetric(name) as Metric | undefined) ?? create();
}

function counter<Label extends string>(metrics: Metrics, name: string, help: string, labelNames: Label[]) {
  return once(metrics, name, () => new Counter({ name, help, labelNames, registers: [metrics.registry] }));
}

function gauge<Label extends string>(metrics: Metrics, name: string, help: string, labelNames: Label[]) {
  return once(metrics, name, () => new Gauge({ name, help, labelNames, registers: [metrics.registry] }));
}

const AGE = 'events_applied_age_seconds';
const age = (metrics: Metrics) =>
  once(
    metrics,
    AGE,
    () =>
      new Histogram({
        name: AGE,
        help: 'Seconds from when an event occurred to when it was applied.',
        labelNames: ['group'],
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600],
        registers: [metrics.registry],
      }),
  );

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;

export const consumerMetrics = (metrics: Metrics) => ({
  consumed: counter(metrics, 'events_consumed_total', 'Events applied.', ['group', 'topic']),
  age: age(metrics),
  retries: counter(metrics, 'consumer_retries_total', 'Failed tries, each tried again.', ['group', 'topic']),
  deadLetters: counter(metrics, 'dead_letters_total', 'Messages set aside.', ['group', 'topic']),
  gaps: counter(metrics, 'consumer_gaps_total', 'Gaps: events deleted before they were applied.', [
    'group',
    'topic',
  ]),
  missed: counter(metrics, 'consumer_missed_events_total', 'Events deleted before they were applied.', [
    'group',
    'topic',
  ]),
  lag: gauge(metrics, 'events_consumer_lag', 'Messages still to be applied, as of the last batch.', [
    'group',
    'topic',
    'partition',
  ]),
});

/** Faults are counted from 0 on: of a counter that begins with its first fault, Prometheus sees no increase. */
export function countFromZero(metrics: ConsumerMetrics, group: string, topics: readonly string[]): void {
  const { consumed, retries, deadLetters, gaps, missed } = metrics;
  for (const topic of topics)
    for (const counter of [consumed, retries, deadLetters, gaps, missed]) counter.inc({ group, topic }, 0);
}

export const publisherMetrics = (metrics: Metrics) => ({
  published: counter(metrics, 'events_published_total', 'Events acknowledged by Kafka.', ['topic']),
});

/** The lag of this member's partitions; other members report the others. */
export function createLag(metrics: ConsumerMetrics, group: string) {
  const known = new Map<string, { group: string; topic: string; partition: number }>();
  return {
    /** @param next the offset that is to be applied next; null for an empty batch */
    set({ topic, partition, highWatermark }: Batch, next: bigint | string | null): void {
      if (next === null) return;
      const labels = { group, topic, partition };
      known.set(`${topic}/${partition}`, labels);
      metrics.lag.set(labels, Number(BigInt(highWatermark) - BigInt(next)));
    },
    forget(): void {
      for (const labels of known.values()) metrics.lag.remove(labels);
      known.clear();
    },
  };
}

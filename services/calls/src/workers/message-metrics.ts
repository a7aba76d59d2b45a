import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge } from 'prom-client';
import type { MessageStatus } from '../domain/call-message.ts';

export interface MessageMetrics {
  /** `received`: it stays as it is, for another try. */
  handled(outcome: MessageStatus): void;
}

export function createMessageMetrics(options: {
  metrics: Metrics;
  oldestDueSeconds: () => Promise<number>;
}): MessageMetrics {
  const registers = [options.metrics.registry];
  const messages = new Counter({
    name: 'call_messages_total',
    help: 'Messages that were read, by what came of it; received: to be tried again.',
    labelNames: ['outcome'],
    registers,
  });
  new Gauge({
    name: 'call_messages_oldest_due_seconds',
    help: 'How long the longest waiting message has been due; 0 where none is.',
    registers,
    async collect() {
      // Unknown while the database is away: the other metrics are wanted most just then.
      this.set(await options.oldestDueSeconds().catch(() => Number.NaN));
    },
  });
  return { handled: (outcome) => messages.inc({ outcome }) };
}

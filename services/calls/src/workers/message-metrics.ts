import { CALL_MESSAGE_STATUSES, type CallMessage } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import { Counter } from 'prom-client';

export function createMessageMetrics(options: { metrics: Metrics; oldestDueSeconds: () => Promise<number> }) {
  const registers = [options.metrics.registry];
  const messages = new Counter({
    name: 'call_messages_total',
    help: 'Messages that were read, by what came of it; received: to be tried again.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of CALL_MESSAGE_STATUSES) messages.inc({ outcome }, 0);
  const help = 'How long the longest waiting message has been due; 0 where none is.';
  options.metrics.watch({ name: 'call_messages_oldest_due_seconds', help }, options.oldestDueSeconds);
  return {
    /** `received`: it stays as it is, for another try. */
    handled: (outcome: CallMessage['status']) => messages.inc({ outcome }),
  };
}

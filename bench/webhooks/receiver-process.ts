import { startHelper } from '../support/helper-process.ts';
import type { Arrival, ReceiverQuestion } from './receiver.ts';

/** A receiver in a process of its own; see receiver.ts. */
export interface ReceiverProcess {
  port: number;
  url(path: string): string;
  /** Begins anew: at once and only counting, by default. */
  reset(how?: { keepsArrivals?: boolean }): Promise<void>;
  /** @throws Error when not as many have come in within the time. */
  until(count: number, timeoutMs: number): Promise<void>;
  arrivals(): Promise<Arrival[]>;
  lastBody(): Promise<string>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<ReceiverProcess> {
  const { ask, stop } = await startHelper<ReceiverQuestion>('bench/webhooks/receiver.ts');
  const port = await ask<number>({ kind: 'port' });
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    reset: ({ keepsArrivals = false } = {}) => ask({ kind: 'reset', keepsArrivals }),
    async until(count, timeoutMs) {
      const received = await ask<number>({ kind: 'until', count, timeoutMs });
      if (received < count)
        throw new Error(`Only ${received} of ${count} deliveries within ${timeoutMs / 1_000} s.`);
    },
    arrivals: () => ask({ kind: 'arrivals' }),
    lastBody: () => ask({ kind: 'body' }),
    stop,
  };
}

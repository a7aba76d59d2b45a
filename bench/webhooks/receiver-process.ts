import { startHelper } from '../support/helper-process.ts';
import type { Arrival, ReceiverQuestion } from './receiver.ts';

/** A receiver in a process of its own; see receiver.ts. */
export interface ReceiverProcess {
  port: number;
  url(path: string): string;
  /** Begins anew: at once and only counting, by default. */
  reset(how?: { holdMs?: number; keepsArrivals?: boolean }): Promise<void>;
  hold(holdMs: number): Promise<void>;
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
    reset: ({ holdMs = 0, keepsArrivals = false } = {}) => ask({ kind: 'reset', holdMs, keepsArrivals }),
    hold: (holdMs) => ask({ kind: 'hold', holdMs }),
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

import { setTimeout as wait } from 'node:timers/promises';

/** One request. Returns the length of the answer; throws where that is not the one that the benchmark is about. */
export type Call = (n: number) => Promise<number>;

/** Sends this many requests, `concurrency` at a time. */
export async function sendAll(
  count: number,
  concurrency: number,
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      await call(n);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/**
 * Sends requests at a steady rate whatever the answers take; latencies in ms, from when each was due, sorted. The first failure ends it,
 * once those under way are answered.
 */
export async function sendAtRate(
  perSecond: number,
  count: number,
  call: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const start = performance.now();
  const latencies: number[] = [];
  const failures: unknown[] = [];
  const sent: Promise<void>[] = [];
  const send = async (n: number, due: number) => {
    try {
      await call(n);
      latencies.push(performance.now() - due);
    } catch (error) {
      failures.push(error);
    }
  };
  for (let n = 0; n < count && failures.length === 0; n += 1) {
    const due = start + (n * 1_000) / perSecond;
    const earlyMs = due - performance.now();
    if (earlyMs > 0) await wait(earlyMs);
    sent.push(send(n, due));
  }
  await Promise.all(sent);
  if (failures.length > 0) throw failures[0];
  return latencies.sort((a, b) => a - b);
}

/** The value below which this share (0 to 1) of the sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

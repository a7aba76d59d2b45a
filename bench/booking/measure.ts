import { setTimeout as wait } from 'node:timers/promises';
import { type Call, quantile, sendAtRate } from '../support/load.ts';
import { type Consumption, consumedSince, consumptionOf } from './consumption.ts';

/** What is still under way after the last answer, its events above all, belongs to the requests. */
export const SETTLE_MS = 1_500;

export interface Measured extends Consumption {
  /** ms, from when each request was due, sorted. */
  latencies: number[];
  seconds: number;
  /** Of the longest answer. */
  bytes: number;
}

/** Sends at a steady rate for some seconds, and counts what the processes use for it. */
export async function measureAt(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  call: Call,
  pids: ReadonlyMap<string, number>,
): Promise<Measured> {
  const requests = perSecond * seconds;
  const before = consumptionOf(pids);
  const started = performance.now();
  let bytes = 0;
  const latencies = await sendAtRate(perSecond, requests, async (n) => {
    bytes = Math.max(bytes, await call(n));
  });
  await wait(SETTLE_MS);
  const took = (performance.now() - started) / 1_000;
  return { latencies, seconds: took, bytes, ...consumedSince(before, pids, requests) };
}

/** Several measurements as one. */
export function together(rounds: readonly Measured[]): Measured {
  const mean = (of: 'cpuSeconds' | 'wakeUps') => {
    const names = Object.keys(rounds[0]?.[of] ?? {});
    const meanOf = (name: string) =>
      rounds.reduce((sum, round) => sum + (round[of][name] ?? 0), 0) / rounds.length;
    return Object.fromEntries(names.map((name) => [name, meanOf(name)]));
  };
  return {
    latencies: rounds.flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
    seconds: rounds.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: Math.max(...rounds.map(({ bytes }) => bytes)),
    cpuSeconds: mean('cpuSeconds'),
    wakeUps: mean('wakeUps'),
  };
}

export const latencyText = ({ latencies }: Pick<Measured, 'latencies'>): string =>
  [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${quantile(latencies, share).toFixed(1)}`)
    .join(', ')
    .concat(' ms');

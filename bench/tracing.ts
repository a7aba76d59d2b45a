import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePortBase } from '../tests/e2e/support/local-system.ts';
import { createBusinesses } from './booking/businesses.ts';
import { consumedSince, consumptionOf, sumOf } from './booking/consumption.ts';
import { SETTLE_MS } from './booking/measure.ts';
import { createOperations, type Operation } from './booking/operations.ts';
import { type MeasuredSystem, startMeasuredSystem } from './booking/running-system.ts';
import { runBenchmark } from './support/parts.ts';

/**
 * What traces cost a booking in the whole system, every process counted: without an endpoint, with all traces sampled, and with one in
 * ten, in turns. Three systems run side by side: 5 GB of memory, about 5 minutes. On Linux, as it reads /proc.
 *
 *   npm run bench:tracing
 */
const BUSINESSES = 4;
const ROUNDS = 6;
/** One after the other, so that a busy machine makes them late and nothing else. */
const BOOKINGS = 60;
const IDLE_MS = 4_000;
const SHARES = [1, 0.1];

interface Traced {
  name: string;
  system: MeasuredSystem;
  booking: Operation;
  /** CPU seconds of a booking, without what the system uses anyway. */
  costs: number[];
}

async function startTraced(
  name: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  resources: AsyncDisposableStack,
): Promise<Traced> {
  const system = await startMeasuredSystem(await freePortBase(), signal, resources, env);
  const businesses = await createBusinesses(system.urls, system.keysDirectory, BUSINESSES);
  const pool = new Pool(system.urls.gateway);
  resources.defer(() => pool.close());
  const operations = createOperations(pool, system.urls.gateway, businesses);
  const booking = operations.find((operation) => operation.name === 'booking');
  if (!booking) throw new Error('There is no operation booking.');
  return { name, system, booking, costs: [] };
}

async function costOf({ system: { pids }, booking }: Traced): Promise<number> {
  const used = async (work: () => Promise<unknown>) => {
    const before = consumptionOf(pids);
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1_000;
    return { seconds, cpuSeconds: sumOf(consumedSince(before, pids, 1).cpuSeconds) };
  };
  const idle = await used(() => wait(IDLE_MS));
  const busy = await used(async () => {
    for (let n = 0; n < BOOKINGS; n += 1) await booking.call(n);
    await wait(SETTLE_MS);
  });
  return (busy.cpuSeconds - (idle.cpuSeconds / idle.seconds) * busy.seconds) / BOOKINGS;
}

function print(systems: readonly Traced[]): void {
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const untraced = systems[0]?.costs ?? [];
  for (const { name, costs } of systems) {
    const ratios = costs.map((cost, round) => cost / (untraced[round] ?? 0));
    const listed = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    console.log(
      `${name}: ${(median(costs) * 1e6).toFixed(0)} µs of CPU a booking; of the same round without an endpoint ` +
        `${median(ratios).toFixed(2)} (${listed})`,
    );
  }
}

/** Takes spans and keeps none. */
async function startCollector(resources: AsyncDisposableStack) {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes };
}

await runBenchmark(async (resources, signal) => {
  const collector = await startCollector(resources);
  const systems = [await startTraced('no endpoint', {}, signal, resources)];
  for (const share of SHARES) {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: String(share),
    };
    systems.push(await startTraced(`sampled ${share}`, env, signal, resources));
  }
  for (const traced of systems) await costOf(traced); // The first bookings load and compile.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const traced of systems) traced.costs.push(await costOf(traced));
  print(systems);
  console.log(`The collector took ${collector.bytes()} bytes.`);
});

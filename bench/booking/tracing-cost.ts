import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { freePortBase } from '../../tests/e2e/support/local-system.ts';
import { createBusinesses } from './businesses.ts';
import { sumOf } from './consumption.ts';
import { type Measured, measureAt, together } from './measure.ts';
import { createOperations, type Operation } from './operations.ts';
import { type MeasuredSystem, startMeasuredSystem } from './running-system.ts';

const BUSINESSES = 10;
const CONNECTIONS = 32;
const ROUNDS = 8;
const LOAD = { perSecond: 40, seconds: 8 };
const WARM_UP = { perSecond: 40, seconds: 8 };
const SHARES = [1, 0.1];

interface Traced {
  name: string;
  system: MeasuredSystem;
  booking: Operation;
  rounds: Measured[];
}

/** What traces cost: a system without an endpoint, and one for each share of traces that is sampled, take turns at bookings. */
export async function measureTracing(
  untraced: Pick<Traced, 'system' | 'booking'>,
  signal: AbortSignal,
  resources: AsyncDisposableStack,
): Promise<void> {
  const collector = await startCollector(resources);
  const systems: Traced[] = [{ ...untraced, name: 'no endpoint', rounds: [] }];
  for (const share of SHARES) {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: String(share),
    };
    const system = await startMeasuredSystem(await freePortBase(), signal, resources, env);
    const booking = await bookingIn(system, resources);
    await measureAt(WARM_UP, booking.call, system.pids);
    systems.push({ name: `sampled ${share}`, system, booking, rounds: [] });
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { system, booking, rounds } of systems)
      rounds.push(await measureAt(LOAD, booking.call, system.pids));
  print(systems);
  console.log(`The collector took ${collector.bytes()} bytes.`);
}

async function bookingIn(system: MeasuredSystem, resources: AsyncDisposableStack): Promise<Operation> {
  const businesses = await createBusinesses(system.urls, system.keysDirectory, BUSINESSES);
  const pool = new Pool(system.urls.gateway, { connections: CONNECTIONS });
  resources.defer(() => pool.close());
  const booking = createOperations(pool, system.urls.gateway, businesses).find(
    ({ name }) => name === 'booking',
  );
  if (!booking) throw new Error('There is no operation booking.');
  return booking;
}

function print(systems: readonly Traced[]): void {
  const [untraced] = systems;
  const costs = (rounds: readonly Measured[]) => rounds.map(({ cpuSeconds }) => sumOf(cpuSeconds));
  for (const { name, rounds } of systems) {
    const ratios = costs(rounds).map((cost, round) => cost / (costs(untraced?.rounds ?? [])[round] ?? 0));
    const micros = sumOf(together(rounds).cpuSeconds) * 1e6;
    const sorted = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2));
    console.log(
      `${name}: ${micros.toFixed(0)} µs of CPU a booking; of the same round without an endpoint: ${sorted.join(', ')}`,
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

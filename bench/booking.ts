import { Pool } from 'undici';
import { freePortBase } from '../tests/e2e/support/local-system.ts';
import { createBusinesses } from './booking/businesses.ts';
import { sumOf } from './booking/consumption.ts';
import { type Floor, startFloor } from './booking/floor.ts';
import { latencyText, type Measured, measureAt, SETTLE_MS, together } from './booking/measure.ts';
import { BusyError, createOperations, type Operation } from './booking/operations.ts';
import { type MeasuredSystem, startMeasuredSystem } from './booking/running-system.ts';
import { collectionSeconds, emptiedAfter } from './booking/service-metrics.ts';
import { createStatementCount } from './booking/statements.ts';
import { quantile } from './support/load.ts';
import { chosenParts, runBenchmark } from './support/parts.ts';

/**
 * What a booking costs in the whole system, every process counted, beside the least that a booking can cost: a bare
 * @fastify/http-proxy before bare Fastify and pg with one transaction. In turns, at 20 and 100 a second; then the other
 * operations at 50 a second, each as a multiple of its floor; then higher rates until one is not held, and the highest that is
 * held, in turns with the floor. On Linux, as it reads /proc; on engines of its own that write to the disk. About 10 minutes.
 *
 *   npm run bench:booking [-- booking operations held]
 */
const PARTS: Record<string, (bench: Bench) => Promise<void>> = {
  booking: measureBooking,
  operations: measureOperations,
  held: findHighestRate,
};
/** Each may ask 500 times a minute, and the benchmark sends up to 300 a second. */
const BUSINESSES = 40;
const CONNECTIONS = 128;
const ROUNDS = 3;
const ROUND_SECONDS = 8;
const OPERATIONS_PER_SECOND = 50;
/** A rate is held while answers come in at it, 99 of 100 within this time. */
const HELD_WITHIN_MS = 500;
const HELD_SECONDS = 15;
const RATES = [120, 140, 160, 180, 200, 250, 300];
/** The queues are empty so soon after a rate that is held. */
const EMPTY_WITHIN_MS = 10_000;

interface Bench {
  system: MeasuredSystem;
  floor: Floor;
  operations: Operation[];
  /** CPU seconds that each process of the system uses in a second in which nobody asks for anything. */
  idle: Record<string, number>;
}

const pidsOfFloor = ({ system, floor }: Bench) =>
  new Map([...floor.pids, ['PostgreSQL', system.pids.get('PostgreSQL') ?? 0]]);

const micros = (seconds: number) => (seconds * 1e6).toFixed(0);
const p95 = ({ latencies }: Measured) => quantile(latencies, 0.95);
const multiple = (one: number, other: number) => `${(one / other).toFixed(1)} floors`;

/** Without what the system uses anyway. */
function ownCost({ cpuSeconds, seconds, latencies }: Measured, idle: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(cpuSeconds).map(([name, used]) => [
      name,
      used - ((idle[name] ?? 0) * seconds) / latencies.length,
    ]),
  );
}

async function inTurns(bench: Bench, { call, floor: kind }: Operation, perSecond: number, rounds: number) {
  const { system, floor } = bench;
  const load = { perSecond, seconds: ROUND_SECONDS };
  const ours: Measured[] = [];
  const floors: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await measureAt(load, call, system.pids);
    ours.push(one);
    floors.push(await measureAt(load, floor[kind](one.bytes), pidsOfFloor(bench)));
  }
  const [own, bare] = [together(ours), together(floors)];
  return { own, bare, cost: ownCost(own, bench.idle), bareCost: ownCost(bare, bench.idle) };
}

async function measureBooking(bench: Bench): Promise<void> {
  for (const perSecond of [20, 100])
    if ((await unlessBusy(() => measureBookingAt(bench, perSecond))) === null)
      console.log(`${perSecond} bookings a second: not held, some were refused`);
}

/** null where the system is busy. */
async function unlessBusy<Result>(measure: () => Promise<Result>): Promise<Result | null> {
  try {
    return await measure();
  } catch (error) {
    if (error instanceof BusyError) return null;
    throw error;
  }
}

async function measureBookingAt(bench: Bench, perSecond: number): Promise<void> {
  const booking = operationNamed(bench, 'booking');
  const statements = createStatementCount(bench.system.engines.databaseUrl);
  await statements.reset();
  const collectedBefore = await collectionSeconds(bench.system.urls);
  const { own, bare, cost, bareCost } = await inTurns(bench, booking, perSecond, ROUNDS);
  console.log(
    `a booking at ${perSecond} a second: ${micros(sumOf(own.cpuSeconds))} µs of CPU, ${micros(sumOf(cost))} without what the system ` +
      `uses anyway, ${multiple(sumOf(cost), sumOf(bareCost))}; ${latencyText(own)}, p95 ${multiple(p95(own), p95(bare))}`,
  );
  console.log(`  the floor: ${micros(sumOf(bareCost))} µs; ${latencyText(bare)}`);
  const list = (values: Record<string, number>, text: (value: number) => string) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${text(value)}`)
      .join(', ');
  const times = (value: number) => value.toFixed(1);
  console.log(`  µs: ${list(cost, micros)}; of the floor: ${list(bareCost, micros)}`);
  console.log(`  wake-ups: ${list(own.wakeUps, times)}; of the floor: ${list(bare.wakeUps, times)}`);
  const collected = Object.entries(await collectionSeconds(bench.system.urls)).map(
    ([name, seconds]): [string, number] => [
      name,
      (seconds - (collectedBefore[name] ?? 0)) / own.latencies.length,
    ],
  );
  console.log(`  µs of collection: ${list(Object.fromEntries(collected), micros)}`);
  await statements.print(own.latencies.length);
}

async function measureOperations(bench: Bench): Promise<void> {
  // Moves and cancellations need so many that are still as they were booked.
  const bookings = { perSecond: OPERATIONS_PER_SECOND, seconds: ROUND_SECONDS * 4 };
  await measureAt(bookings, operationNamed(bench, 'booking').call, bench.system.pids);
  for (const operation of bench.operations) {
    const { own, bare, cost, bareCost } = await inTurns(bench, operation, OPERATIONS_PER_SECOND, 2);
    console.log(
      `${operation.name.padEnd(24)} ${micros(sumOf(cost)).padStart(6)} µs, ${multiple(sumOf(cost), sumOf(bareCost))}; ` +
        `${latencyText(own)}, p95 ${multiple(p95(own), p95(bare))}`,
    );
  }
}

async function findHighestRate(bench: Bench): Promise<void> {
  const { system } = bench;
  const { call } = operationNamed(bench, 'booking');
  let highest: number | undefined;
  for (const perSecond of RATES) {
    const measured = await unlessBusy(() =>
      measureAt({ perSecond, seconds: HELD_SECONDS }, call, system.pids),
    );
    if (measured === null) {
      console.log(`${perSecond} bookings a second: not held, some were refused`);
      break;
    }
    // Looked at only once the measurement has settled: it may have been sooner.
    const emptiedMs = SETTLE_MS + (await emptiedAfter(system));
    const isHeld = quantile(measured.latencies, 0.99) < HELD_WITHIN_MS && emptiedMs < EMPTY_WITHIN_MS;
    console.log(
      `${perSecond} bookings a second: ${isHeld ? 'held' : 'not held'}; ${latencyText(measured)}, ` +
        `${micros(sumOf(measured.cpuSeconds))} µs of CPU each, queues empty within ${(emptiedMs / 1_000).toFixed(1)} s`,
    );
    if (!isHeld) break;
    highest = perSecond;
  }
  if (highest !== undefined) await measureBookingAt(bench, highest);
}

function operationNamed({ operations }: Pick<Bench, 'operations'>, name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

async function idleUse(pids: ReadonlyMap<string, number>): Promise<Record<string, number>> {
  const { cpuSeconds, seconds, latencies } = await measureAt(
    { perSecond: 1, seconds: 8 },
    async () => 0,
    pids,
  );
  return Object.fromEntries(
    Object.entries(cpuSeconds).map(([name, each]) => [name, (each * latencies.length) / seconds]),
  );
}

const parts = chosenParts(PARTS);
await runBenchmark(async (resources, signal) => {
  const system = await startMeasuredSystem(await freePortBase(), signal, resources);
  const businesses = await createBusinesses(system.urls, system.keysDirectory, BUSINESSES);
  const floor = await startFloor(system.engines.databaseUrl, resources);
  const pool = new Pool(system.urls.gateway, { connections: CONNECTIONS });
  resources.defer(() => pool.close());
  const operations = createOperations(pool, system.urls.gateway, businesses);
  const warmUp = { perSecond: 50, seconds: 10 };
  await measureAt(warmUp, operationNamed({ operations }, 'booking').call, system.pids);
  const bench: Bench = { system, floor, operations, idle: await idleUse(system.pids) };
  const idle = Object.entries(bench.idle).map(([name, seconds]) => `${name} ${(seconds * 1_000).toFixed(0)}`);
  console.log(
    `Nobody asks: ${(sumOf(bench.idle) * 1_000).toFixed(0)} ms of CPU a second: ${idle.join(', ')}`,
  );
  for (const [, measure] of parts) await measure(bench);
});

import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../services/scheduling/src/migrations/index.ts';
import { paths } from '../tests/support/appointment-queries.ts';
import { loadAppointments } from '../tests/support/appointments-data.ts';
import { startService } from '../tests/support/service-process.ts';
import { measurePages } from './pages/attacks.ts';
import {
  BOOKED_DAYS,
  HEAVIEST_TENANT,
  heaviestRequests,
  loadHeaviestTenant,
} from './scheduling/heaviest-tenant.ts';
import { createCaller } from './scheduling/requests.ts';
import { type BenchEnvironment, serviceEnv, startEnvironment } from './support/environment.ts';
import { quantile, sendAtRate } from './support/load.ts';

/**
 * How much the heaviest tenant that the bounds allow slows down another tenant of the same scheduling process. The heaviest one
 * lists its staff, asks for slots and books as fast as it gets answers. Prints the other one's p99 beside it and alone, in turns. Then the
 * same for pages of the whole system, while one admin of another tenant makes changes, opens live streams or sends forms without a pause.
 *
 *   npm run bench:neighbour [-- <number of days on which the heaviest tenant is booked up>]
 *   npm run bench:neighbour -- pages
 */
const TENANTS = 20;
const APPOINTMENTS = 100_000;
const NEIGHBOUR = 7;
const ROUNDS = 5;
const [PER_SECOND, REQUESTS] = [20, 300];
const TARGET = 3;
const PORT_BASE = 7_900;

type Caller = ReturnType<typeof createCaller>;

/** Starts three clients, each of which sends its next request at once. `stop` returns the latencies of each, in ms, sorted. */
function startHeaviest(caller: Caller): { stop(): Promise<Record<string, number[]>> } {
  let isStopped = false;
  const client = async (ask: (n: number) => Promise<unknown>) => {
    const took: number[] = [];
    for (let n = 0; !isStopped; n += 1) {
      const started = performance.now();
      await ask(n);
      took.push(performance.now() - started);
    }
    return took.sort((a, b) => a - b);
  };
  const { staff, slots, booking } = heaviestRequests;
  const clients = {
    staff: client(() => caller.tryToGet(HEAVIEST_TENANT, staff)),
    slots: client((n) => caller.tryToGet(HEAVIEST_TENANT, slots(n))),
    booking: client((n) => caller.bookAs(HEAVIEST_TENANT, booking(n))),
  };
  return {
    async stop() {
      isStopped = true;
      const [ofStaff, ofSlots, ofBooking] = await Promise.all(Object.values(clients));
      return { staff: ofStaff ?? [], slots: ofSlots ?? [], booking: ofBooking ?? [] };
    },
  };
}

async function measure(environment: BenchEnvironment): Promise<void> {
  const service = await startService(
    'services/scheduling/src/main.ts',
    serviceEnv(environment, 'scheduling'),
  );
  const pool = new Pool(service.url, { connections: 32 });
  try {
    const caller = createCaller(pool, await environment.signer('gateway'));
    const cpuBefore = await service.cpuSeconds();
    const started = performance.now();
    await caller.get(HEAVIEST_TENANT, heaviestRequests.staff);
    const [cpu, wall] = [(await service.cpuSeconds()) - cpuBefore, (performance.now() - started) / 1_000];
    console.log(`its list of staff: ${cpu.toFixed(2)} s of CPU, ${wall.toFixed(2)} s`);

    let booked = 0;
    const p99 = async () => {
      const latencies = await sendAtRate(PER_SECOND, REQUESTS, (n) =>
        n % 2 === 0
          ? caller.get(NEIGHBOUR, paths.slotsOfDay(NEIGHBOUR, n))
          : caller.book(NEIGHBOUR, booked++),
      );
      return quantile(latencies, 0.99);
    };
    await p99();
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await p99());
      const heaviest = startHeaviest(caller);
      beside.push(await p99());
      const took = Object.entries(await heaviest.stop()).map(
        ([name, times]) => `${name} ${times.length} × ${quantile(times, 0.5).toFixed(0)} ms`,
      );
      console.log(
        `p99 alone ${alone.at(-1)?.toFixed(1)} ms, beside ${beside.at(-1)?.toFixed(1)} ms; it: ${took.join(', ')}`,
      );
    }
    const middle = (values: number[]) =>
      quantile(
        values.toSorted((a, b) => a - b),
        0.5,
      );
    const ratio = middle(beside) / middle(alone);
    console.log(
      `p99 of slots and bookings beside the heaviest tenant: ${ratio.toFixed(1)} times its own (target ${TARGET})`,
    );
  } finally {
    await pool.close();
    await service.stop();
  }
}

async function measureScheduling(): Promise<void> {
  const environment = await startEnvironment('neighbour');
  try {
    await migrate({
      url: environment.databaseUrl,
      migrations,
      logger: createLogger({ name: 'bench', level: 'warn' }),
    });
    const started = performance.now();
    await environment.withClient(async (client) => {
      await loadAppointments(client, TENANTS, APPOINTMENTS);
      await loadHeaviestTenant(client, Number(process.argv[2] ?? BOOKED_DAYS));
    });
    console.log(`loaded in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    await measure(environment);
  } finally {
    await environment.stop();
  }
}

if (process.argv[2] !== 'pages') await measureScheduling();
await measurePages(Number(process.env.PORT_BASE ?? PORT_BASE));

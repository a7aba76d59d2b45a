import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../services/scheduling/src/data/migrations/index.ts';
import { LARGE_TENANT, loadAppointments } from './scheduling/appointments-data.ts';
import { checkPlans } from './scheduling/check-plans.ts';
import { createCaller, paths } from './scheduling/requests.ts';
import { compareWithBare, type Subject } from './support/compare.ts';
import { type BenchEnvironment, serviceEnv, startEnvironment } from './support/environment.ts';
import { type Call, quantile, sendAtRate } from './support/load.ts';
import { startService } from './support/service-process.ts';

/**
 * What scheduling costs over 1,000,000 appointments of 200 tenants: its own CPU per request, beside that of a bare Fastify
 * route with one statement and an answer as long, in turns. Ends with 1 where a query would read the whole table.
 *
 *   npm run bench:scheduling [-- appointments]
 */
const TENANTS = 200;
const LOAD_CONNECTIONS = 16;
const DAY_OF_SLOTS = 'slots, a day of 10 staff';
const MONTH_OF_SLOTS = 'slots, 31 days of 50 staff';

async function printLatencies(name: string, perSecond: number, count: number, call: Call): Promise<void> {
  const latencies = await sendAtRate(perSecond, count, call);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1));
  console.log(`${name.padEnd(28)} at ${perSecond}/s: p50 ${p50} ms, p99 ${p99} ms`);
}

async function measure(environment: BenchEnvironment): Promise<void> {
  const service = await startService(
    'services/scheduling/src/main.ts',
    serviceEnv(environment, 'scheduling'),
  );
  const pool = new Pool(service.url, { connections: LOAD_CONNECTIONS });
  try {
    const caller = createCaller(pool, await environment.signer('gateway'));
    const tenantOf = (n: number) => 2 + (n % (TENANTS - 1));
    const day: Call = (n) => caller.get(tenantOf(n), paths.slotsOfDay(tenantOf(n), n));
    const month: Call = () => caller.get(LARGE_TENANT, paths.slotsOfMonth(LARGE_TENANT));
    const list: Call = (n) => caller.get(tenantOf(n), paths.appointments);
    let booked = 0;
    const book: Call = () => caller.book(tenantOf(booked), booked++);

    const compare = (subject: Subject) => compareWithBare(subject, service, environment.databaseUrl);
    await compare({ name: DAY_OF_SLOTS, requests: 2_000, concurrency: 8, call: day });
    await compare({ name: MONTH_OF_SLOTS, requests: 40, concurrency: 1, call: month });
    await compare({ name: 'first page of appointments', requests: 2_000, concurrency: 8, call: list });
    // Before the bookings, whose events go on being published for a while.
    await printLatencies(DAY_OF_SLOTS, 500, 5_000, day);
    await printLatencies(MONTH_OF_SLOTS, 5, 50, month);
    await compare({ name: 'booking', requests: 1_000, concurrency: 8, call: book });
  } finally {
    await pool.close();
    await service.stop();
  }
}

const appointments = Number(process.argv[2] ?? 1_000_000);
const environment = await startEnvironment('scheduling');
try {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await migrate({ url: environment.databaseUrl, migrations, logger });
  const started = performance.now();
  await environment.withClient((client) => loadAppointments(client, TENANTS, appointments));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${appointments} appointments of ${TENANTS} tenants by COPY: ${seconds} s`);
  const isIndexed = await checkPlans(environment, TENANTS / 2);
  await measure(environment);
  if (!isIndexed) process.exitCode = 1;
} finally {
  await environment.stop();
}

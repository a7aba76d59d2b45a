import { migrate } from '@frontdesk/database';
import { freePorts } from '@frontdesk/local-stack';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../services/scheduling/src/data/migrations/index.ts';
import { loadAppointments } from './scheduling/appointments-data.ts';
import { checkPlans } from './scheduling/check-plans.ts';
import { createCaller, paths } from './scheduling/requests.ts';
import { schedulingEnv } from './scheduling/scheduling-env.ts';
import { type BenchEnvironment, startEnvironment } from './support/environment.ts';
import { type Call, quantile, sendAll, sendAtRate } from './support/load.ts';
import { type ServiceProcess, startService } from './support/service-process.ts';

/**
 * What scheduling costs over 1,000,000 appointments of 200 tenants: its own CPU per request, beside that of a bare Fastify
 * route with one statement and an answer as long, in turns. Ends with 1 where a query would read the whole table.
 *
 *   npm run bench:scheduling [-- appointments]
 */
const TENANTS = 200;
const ROUNDS = 5;
const LARGE_TENANT = 1;
const LOAD_CONNECTIONS = 16;
const logger = createLogger({ name: 'bench', level: 'warn' });

interface Subject {
  name: string;
  requests: number;
  concurrency: number;
  call: Call;
  answerBytes: number;
}

/** CPU milliseconds per request, of the best of the rounds: what is above it is the machine's other work. */
async function compare(
  subject: Subject,
  service: ServiceProcess,
  environment: BenchEnvironment,
): Promise<void> {
  const { name, requests, concurrency, call, answerBytes } = subject;
  const [api = 0, internal = 0] = await freePorts(2);
  const bare = await startService({
    entry: 'bench/support/bare-server.ts',
    ports: { api, internal },
    env: { DATABASE_URL: environment.databaseUrl, BODY_BYTES: String(answerBytes) },
  });
  const pool = new Pool(bare.url, { connections: LOAD_CONNECTIONS });
  const bareCall: Call = async () => {
    const { body } = await pool.request({ method: 'GET', path: '/' });
    await body.dump();
  };
  const cost = async (process: ServiceProcess, send: Call) => {
    const before = await process.cpuSeconds();
    await sendAll(requests, concurrency, send);
    return ((await process.cpuSeconds()) - before) * (1_000 / requests);
  };
  const costs: { service: number; bare: number }[] = [];
  await cost(service, call);
  for (let round = 0; round < ROUNDS; round += 1)
    costs.push({ service: await cost(service, call), bare: await cost(bare, bareCall) });
  await pool.close();
  await bare.stop();

  const best = (which: 'service' | 'bare') => Math.min(...costs.map((round) => round[which]));
  const ratios = costs.map((round) => round.service / round.bare).sort((a, b) => a - b);
  console.log(
    `${name.padEnd(28)} ${best('service').toFixed(2).padStart(6)} ms of CPU (${Math.round(1_000 / best('service'))}/s per core)` +
      `, ${quantile(ratios, 0.5).toFixed(1)} bare requests (${ratios[0]?.toFixed(1)} to ${ratios.at(-1)?.toFixed(1)})`,
  );
}

async function measure(environment: BenchEnvironment): Promise<void> {
  const [api = 0, internal = 0] = await freePorts(2);
  const service = await startService({
    entry: 'services/scheduling/src/main.ts',
    ports: { api, internal },
    env: schedulingEnv(environment),
  });
  const pool = new Pool(service.url, { connections: LOAD_CONNECTIONS });
  try {
    const caller = createCaller(pool, await environment.signer('gateway'));
    const tenantOf = (n: number) => 2 + (n % (TENANTS - 1));
    const day = async (n: number) => void (await caller.get(tenantOf(n), paths.slotsOfDay(tenantOf(n), n)));
    const month = async () => void (await caller.get(LARGE_TENANT, paths.slotsOfMonth(LARGE_TENANT)));
    const list = async (n: number) => void (await caller.get(tenantOf(n), '/api/v1/appointments'));
    let booked = 0;
    const book = async () => void (await caller.book(tenantOf(booked), booked++));
    const bytesOf = async (tenant: number, path: string) => (await caller.get(tenant, path)).length;

    const subjects: Subject[] = [
      {
        name: 'slots, a day of 10 staff',
        requests: 2_000,
        concurrency: 8,
        call: day,
        answerBytes: await bytesOf(2, paths.slotsOfDay(2, 0)),
      },
      {
        name: 'slots, 31 days of 50 staff',
        requests: 40,
        concurrency: 1,
        call: month,
        answerBytes: await bytesOf(1, paths.slotsOfMonth(1)),
      },
      {
        name: 'first page of appointments',
        requests: 2_000,
        concurrency: 8,
        call: list,
        answerBytes: await bytesOf(2, '/api/v1/appointments'),
      },
      { name: 'booking', requests: 1_000, concurrency: 8, call: book, answerBytes: 600 },
    ];
    for (const subject of subjects) await compare(subject, service, environment);

    for (const [name, rate, count, call] of [
      ['slots, a day of 10 staff', 500, 5_000, day],
      ['slots, 31 days of 50 staff', 5, 50, month],
    ] as const) {
      const latencies = await sendAtRate(rate, count, call);
      console.log(
        `${name.padEnd(28)} at ${rate}/s: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`,
      );
    }
  } finally {
    await pool.close();
    await service.stop();
  }
}

const appointments = Number(process.argv[2] ?? 1_000_000);
const environment = await startEnvironment('scheduling');
try {
  await migrate({ url: environment.databaseUrl, migrations, logger });
  const started = performance.now();
  await environment.withClient((client) => loadAppointments(client, TENANTS, appointments));
  console.log(
    `${appointments} appointments of ${TENANTS} tenants by COPY: ${((performance.now() - started) / 1_000).toFixed(1)} s`,
  );
  const isIndexed = await checkPlans(environment, TENANTS / 2);
  await measure(environment);
  if (!isIndexed) process.exitCode = 1;
} finally {
  await environment.stop();
}

import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../../services/scheduling/src/migrations/index.ts';
import { bookingBody } from '../../tests/support/appointment-queries.ts';
import { LARGE_TENANT, loadAppointments } from '../../tests/support/appointments-data.ts';
import { type ServiceProcess, startService } from '../../tests/support/service-process.ts';
import { serviceEnv } from '../support/environment.ts';
import { quantile } from '../support/load.ts';
import { wallMs } from '../support/wall-clock.ts';
import { type Begun, receivedAfter } from './received-after.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';
import { countUsage, sumOf } from './usage.ts';

/** At the busy rate a batch is hardly ever of one event, at the idle one always. */
const BUSY = { perSecond: 100, count: 1_000 };
const IDLE = { perSecond: 5, count: 75 };
const WARM_UP_EVENTS = 200;
const TARGETS_P95_MS = { published: 12, booked: 25 };
/** Values of EVENT_LINGER_MS that are compared. */
const LINGERS_MS = [0, 2, 10, 20];
/** The large one of scheduling's data: places enough for all bookings. */
const BOOKING_TENANT = LARGE_TENANT;
const PUBLISHING_TENANT = 201;

interface Rate {
  perSecond: number;
  count: number;
}

/** From an event's beginning to its receipt, one endpoint, 100 a second: straight from Kafka, and from a booking's answer. */
export const measureLatency = (stack: Stack, resources: AsyncDisposableStack): Promise<void> =>
  measureEach(stack, resources, { environments: [{}], rates: [BUSY] });

/** The same with several pauses after a batch, idle and busy. */
export const measureLinger = (stack: Stack, resources: AsyncDisposableStack): Promise<void> =>
  measureEach(stack, resources, {
    environments: LINGERS_MS.map((ms) => ({ EVENT_LINGER_MS: String(ms) })),
    rates: [IDLE, BUSY],
  });

async function measureEach(
  stack: Stack,
  resources: AsyncDisposableStack,
  { environments, rates }: { environments: Record<string, string>[]; rates: Rate[] },
): Promise<void> {
  const signer = await stack.environment.signer('operator');
  const databaseUrl = await bookingDatabase(stack);
  let isSubscribed = false;
  for (const env of environments) {
    const own = resources.use(new AsyncDisposableStack());
    const service = await stack.startWebhooks(own, env);
    for (const tenantId of isSubscribed ? [] : [PUBLISHING_TENANT, BOOKING_TENANT])
      await subscribe(service, signer, tenantId, stack.receiver.url(`/${tenantId}`));
    isSubscribed = true;
    const book = await startBookings(stack, own, { ...env, DATABASE_URL: databaseUrl });
    for (const [name, value] of Object.entries(env)) console.log(`${name}=${value}`);
    for (const rate of rates) {
      await measure(stack, service, { name: 'published', rate, begin: publishOne(stack) });
      await measure(stack, service, { name: 'booked', rate, begin: book });
    }
    await own.disposeAsync();
  }
}

async function measure(
  { receiver, environment }: Stack,
  service: ServiceProcess,
  what: { name: keyof typeof TARGETS_P95_MS; rate: Rate; begin: () => Promise<Begun> },
): Promise<void> {
  const { name, rate, begin } = what;
  await receivedAfter(receiver, { perSecond: BUSY.perSecond, count: WARM_UP_EVENTS }, begin);
  const used = countUsage(environment, service);
  const latencies = await receivedAfter(receiver, rate, begin);
  const cpuMs = sumOf(used(rate.count)) * 1_000;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share).toFixed(1));
  console.log(
    `${`${name} to received`.padEnd(22)} p50 ${p50} ms, p95 ${p95} ms (target ${TARGETS_P95_MS[name]}), p99 ${p99} ms at ${rate.perSecond}/s; ` +
      `webhooks and the engines: ${cpuMs.toFixed(1)} ms of CPU for each`,
  );
}

/** Over all measurements: no event and no booking is of the same record as another. */
let n = 0;

const publishOne = (stack: Stack) => async (): Promise<Begun> => {
  n += 1;
  const beganMs = wallMs();
  const recordId = n;
  await stack.publish(appointmentsOf(PUBLISHING_TENANT, 1, recordId));
  return { recordId, beganMs };
};

async function bookingDatabase({ environment }: Stack): Promise<string> {
  const { databaseUrl, withClient } = await environment.addDatabase();
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await migrate({ url: databaseUrl, migrations, logger });
  await withClient((client) => loadAppointments(client, BOOKING_TENANT, 0));
  return databaseUrl;
}

/** Scheduling beside webhooks, its outbox into the same Kafka. @returns a booking; it began when its answer was here */
async function startBookings(
  { environment, compileCache }: Stack,
  resources: AsyncDisposableStack,
  env: Record<string, string>,
) {
  const scheduling = await startService('services/scheduling/src/main.ts', {
    ...serviceEnv(environment, 'scheduling'),
    NODE_COMPILE_CACHE: compileCache,
    ...env,
  });
  resources.defer(async () => void (await scheduling.stop()));
  const pool = new Pool(scheduling.url, { connections: 8 });
  resources.defer(() => pool.close());
  const signer = await environment.signer('gateway');
  return async (): Promise<Begun> => {
    n += 1;
    const booking = n;
    const identity = { audience: 'scheduling', role: 'integrator', tenantId: BOOKING_TENANT } as const;
    const answer = await pool.request({
      method: 'POST',
      path: '/api/v1/appointments',
      headers: { [IDENTITY_HEADER]: await signer.sign(identity), 'content-type': 'application/json' },
      body: JSON.stringify(bookingBody(BOOKING_TENANT, booking)),
    });
    const { data } = (await answer.body.json()) as { data: { id: number } };
    const beganMs = wallMs();
    if (answer.statusCode !== 201) throw new Error(`Booking ${booking}: ${answer.statusCode}.`);
    return { recordId: data.id, beganMs };
  };
}

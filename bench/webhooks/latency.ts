import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../../services/scheduling/src/data/migrations/index.ts';
import { LARGE_TENANT, loadAppointments } from '../scheduling/appointments-data.ts';
import { bookingBody } from '../scheduling/requests.ts';
import { serviceEnv } from '../support/environment.ts';
import { quantile } from '../support/load.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { wallMs } from '../support/wall-clock.ts';
import { type Begun, receivedAfter } from './received-after.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';
import { countUsage, sumOf } from './usage.ts';

const EVENTS_PER_SECOND = 100;
const EVENTS = 2_000;
const WARM_UP_EVENTS = 200;
const TARGET_P95_MS = 15;
/** The large one of scheduling's data: places enough for all bookings. */
const BOOKING_TENANT = LARGE_TENANT;
const PUBLISHING_TENANT = 201;

/** From an event's beginning to its receipt, one endpoint, 100 a second: straight from Kafka, and from a booking's answer. */
export async function measureLatency(stack: Stack, resources: AsyncDisposableStack): Promise<void> {
  const service = await stack.startWebhooks(resources);
  const signer = await stack.environment.signer('operator');
  for (const tenantId of [PUBLISHING_TENANT, BOOKING_TENANT])
    await subscribe(service, signer, tenantId, stack.receiver.url(`/${tenantId}`));

  await measure(stack, service, 'published to received', async (n) => {
    const beganMs = wallMs();
    await stack.publish(appointmentsOf(PUBLISHING_TENANT, 1, n));
    return { recordId: n, beganMs };
  });
  const book = await startBookings(stack, resources);
  await measure(stack, service, 'booked (201) to received', book);
}

/** @param begin sets off the n-th event */
async function measure(
  { receiver, environment }: Stack,
  service: ServiceProcess,
  name: string,
  begin: (n: number) => Promise<Begun>,
): Promise<void> {
  const perSecond = EVENTS_PER_SECOND;
  await receivedAfter(receiver, { perSecond, count: WARM_UP_EVENTS }, begin);
  const used = countUsage(environment, service);
  const latencies = await receivedAfter(receiver, { perSecond, count: EVENTS }, (n) =>
    begin(WARM_UP_EVENTS + n),
  );
  const cpuMs = sumOf(used(EVENTS)) * 1_000;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share).toFixed(1));
  console.log(
    `${name.padEnd(24)} p50 ${p50} ms, p95 ${p95} ms (target ${TARGET_P95_MS}), p99 ${p99} ms at ${EVENTS_PER_SECOND}/s; ` +
      `webhooks and the engines: ${cpuMs.toFixed(1)} ms of CPU for each`,
  );
}

/** Scheduling beside webhooks, its outbox into the same Kafka. @returns a booking; it began when its answer was here */
async function startBookings({ environment, compileCache }: Stack, resources: AsyncDisposableStack) {
  const { databaseUrl, withClient } = await environment.addDatabase();
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await migrate({ url: databaseUrl, migrations, logger });
  await withClient((client) => loadAppointments(client, BOOKING_TENANT, 0));
  const scheduling = await startService('services/scheduling/src/main.ts', {
    ...serviceEnv(environment, 'scheduling'),
    DATABASE_URL: databaseUrl,
    NODE_COMPILE_CACHE: compileCache,
  });
  resources.defer(async () => void (await scheduling.stop()));
  const pool = new Pool(scheduling.url, { connections: 8 });
  resources.defer(() => pool.close());
  const signer = await environment.signer('gateway');
  return async (n: number) => {
    const identity = { audience: 'scheduling', role: 'integrator', tenantId: BOOKING_TENANT } as const;
    const answer = await pool.request({
      method: 'POST',
      path: '/api/v1/appointments',
      headers: { [IDENTITY_HEADER]: await signer.sign(identity), 'content-type': 'application/json' },
      body: JSON.stringify(bookingBody(BOOKING_TENANT, n)),
    });
    const { data } = (await answer.body.json()) as { data: { id: number } };
    const beganMs = wallMs();
    if (answer.statusCode !== 201) throw new Error(`Booking ${n}: ${answer.statusCode}.`);
    return { recordId: data.id, beganMs };
  };
}

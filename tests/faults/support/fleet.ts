import { setTimeout as delay } from 'node:timers/promises';
import { createKafkaClient, createPublisher, ensureTopics } from '@frontdesk/events';
import { request } from 'undici';
import { migrations } from '../../../services/webhooks/src/migrations/index.ts';
import {
  createTestDatabase,
  engines,
  eventually,
  identityKeys,
  logger,
  removeTopics,
  startReceiver,
  uniquePrefix,
  uniqueTenantId,
} from '../../support/index.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { createLedger, type HeldDelivery } from './delivery-ledger.ts';
import { publishSteadily } from './steady-events.ts';

const ENTRY = 'services/webhooks/src/main.ts';
const TENANTS = 2;
const ENDPOINTS_PER_TENANT = 2;
/** So that there is always something under way. */
const ANSWER_MS = 60;
/** A receiver that is only slow costs no attempt, and a stop that is only slow is a whole one. */
const PATIENCE_MS = '600000';

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

export interface FleetMember extends ServiceProcess {
  /** What it calls itself to PostgreSQL. */
  name: string;
}

/**
 * Real webhooks processes over one database and one Kafka, a real receiver, and events that keep coming. An endpoint and an
 * event make a place, at which the event is to arrive.
 */
export async function startFleet(
  options: { databaseUrl?: string; kafkaBrokers?: string; env?: Record<string, string> } = {},
) {
  const resources = new AsyncDisposableStack();
  try {
    return await assemble(options, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function assemble(
  options: { databaseUrl?: string; kafkaBrokers?: string; env?: Record<string, string> },
  resources: AsyncDisposableStack,
) {
  const { kafkaBrokers = engines().kafkaBrokers, env = {} } = options;
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await createTestDatabase(migrations, 'webhooks');
  resources.defer(database.drop);
  const prefix = uniquePrefix();
  if (!options.kafkaBrokers) resources.defer(() => removeTopics(prefix));
  const ledger = createLedger(database.url);

  const receiver = await startReceiver();
  resources.defer(receiver.close);
  let failures = 0;
  receiver.respondWith(async () => {
    await delay(ANSWER_MS);
    failures -= 1;
    return { status: failures >= 0 ? 500 : 200 };
  });
  const tenantIds = Array.from({ length: TENANTS }, uniqueTenantId);
  const pathOf = new Map<number, string>();
  const endpointsOf = new Map<number, number[]>(tenantIds.map((tenantId) => [tenantId, []]));
  for (const tenantId of tenantIds) {
    for (let nth = 1; nth <= ENDPOINTS_PER_TENANT; nth += 1) {
      const path = `/${tenantId}/${nth}`;
      const id = await ledger.subscribe(tenantId, `${receiver.url}${path}`);
      pathOf.set(id, path);
      endpointsOf.get(tenantId)?.push(id);
    }
  }

  const members = new Set<FleetMember>();
  resources.defer(async () => {
    await Promise.all([...members].map((member) => member.kill()));
  });
  const keys = identityKeys();
  let started = 0;
  const start = async (extraEnv: Record<string, string> = {}): Promise<FleetMember> => {
    started += 1;
    const name = `webhooks-${started}`;
    const url = new URL(database.url);
    url.searchParams.set('application_name', name);
    const service = await startService(ENTRY, {
      LOG_LEVEL: 'fatal',
      DATABASE_URL: url.toString(),
      KAFKA_BROKERS: kafkaBrokers,
      KAFKA_PREFIX: prefix,
      IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
      SECRET_KEYS_FILE: keys.secretKeysFile,
      ALLOW_HTTP_ENDPOINTS: 'true',
      ALLOW_PRIVATE_ENDPOINTS: 'true',
      DATABASE_WAIT_MS: PATIENCE_MS,
      DATABASE_REQUEST_MS: PATIENCE_MS,
      DATABASE_TENANT_WAIT_MS: PATIENCE_MS,
      DELIVERY_TIMEOUT_MS: PATIENCE_MS,
      LEASE_SESSION_TIMEOUT_MS: PATIENCE_MS,
      SHUTDOWN_TIMEOUT_MS: PATIENCE_MS,
      ...env,
      ...extraEnv,
    });
    const member = { ...service, name };
    members.add(member);
    return member;
  };
  const forget = (member: FleetMember) => members.delete(member);

  const kafka = createKafkaClient({ brokers: kafkaBrokers.split(','), prefix, clientId: 'test', logger });
  await ensureTopics({ kafka });
  const publisher = createPublisher({ kafka, logger });
  await publisher.start();
  resources.defer(() => publisher.stop());
  const events = publishSteadily(publisher, tenantIds);
  resources.defer(events.giveUp);

  const place = ({ endpoint_id, event_id }: Pick<HeldDelivery, 'endpoint_id' | 'event_id'>) =>
    `${pathOf.get(Number(endpoint_id))} evt_${event_id}`;
  const arrivals = () =>
    Map.groupBy(receiver.requests, ({ path, headers }) => `${path} ${headers['webhook-id']}`);
  const repeats = () =>
    new Map([...arrivals()].map(([at, all]) => [at, all.length - 1] as const).filter(([, more]) => more > 0));
  const expected = () =>
    events.acknowledged.flatMap(({ tenant_id, event_id }) =>
      (endpointsOf.get(tenant_id) ?? []).map((endpoint_id) => place({ endpoint_id, event_id })),
    );

  return {
    ledger,
    start,
    place,
    /** Of a process's health. */
    async readiness({ internalUrl }: FleetMember) {
      const { statusCode, body } = await request(`${internalUrl}/health/ready`);
      await body.dump();
      return statusCode;
    },
    /** The receiver answers so many requests with 500. */
    failNext(count: number) {
      failures = count;
    },
    /** Kills it while it has something under way, and says what that was. */
    async killInMidDelivery(member: FleetMember): Promise<HeldDelivery[]> {
      const held = await eventually(async () => {
        process.kill(member.pid, 'SIGSTOP'); // what it holds can be read while it holds it
        const found = await ledger.heldBy(member.name);
        if (found.length === 0) process.kill(member.pid, 'SIGCONT');
        expect(found).not.toEqual([]);
        return found;
      });
      forget(member);
      await member.kill();
      return held;
    },
    /** SIGTERM; answers its exit code. */
    async end(member: FleetMember) {
      forget(member);
      return member.stop();
    },
    /** Waits until so many more events have arrived than there had by now. */
    moreArrive: (count = 20) => grows(() => receiver.requests.length, count),
    /** Waits until Kafka has taken more events than it had by now. */
    moreAreAcknowledged: (count = 20) => grows(() => events.acknowledged.length, count),
    /** Stops the events and waits until every acknowledged one has arrived wherever it is to, and is written down. */
    async everythingArrives() {
      await events.stop();
      const places = expected();
      expect(places.length).toBeGreaterThan(0);
      await grows(() => arrivals().size, places.length - arrivals().size);
      await eventually(async () => {
        const arrived = arrivals();
        expect(places.filter((one) => !arrived.has(one))).toEqual([]);
        expect(arrived.size).toBe(places.length);
        expect(await ledger.totals()).toMatchObject({
          deliveries: places.length,
          places: places.length,
          delivered: places.length,
          waiting: 0,
        });
      });
      return places.length;
    },
    /** Places at which an event arrived more than once, and how often beyond that. */
    repeats,
    /** Those of them that failures don't explain: an event may arrive again once for each failure at which its delivery was held. */
    unexplainedRepeats: (held: readonly string[]) =>
      [...repeats()].filter(([at, more]) => more > held.filter((one) => one === at).length),
    /** Everything that has arrived, by place. */
    arrivals,
    stop: () => resources.disposeAsync(),
  };
}

/** Waits until there are so many more than now, and for each one anew: how long all of them take is the machine's affair. */
async function grows(size: () => number, more: number): Promise<void> {
  const goal = size() + more;
  while (size() < goal) {
    const before = size();
    await eventually(() => expect(size()).toBeGreaterThan(before));
  }
}

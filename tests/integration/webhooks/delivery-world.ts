import {
  type DomainEvent,
  ENDPOINT_SCOPES,
  type ListDeliveriesQuery,
  type WebhookEventName,
} from '@frontdesk/contracts';
import { createDatabase } from '@frontdesk/database';
import { createMetrics, createSecretBox, type Identity, startComponents } from '@frontdesk/service';
import {
  findDeliveryWithAttempts,
  listDeliveries,
  listDeliverySummaries,
} from '../../../services/webhooks/src/deliveries/delivery.repository.ts';
import { deliveryDetailRecord } from '../../../services/webhooks/src/deliveries/delivery.rules.ts';
import { createEndedEndpointsWorker } from '../../../services/webhooks/src/endpoints/ended-endpoints.worker.ts';
import { endpointEntity } from '../../../services/webhooks/src/endpoints/endpoint.entity.ts';
import {
  deleteEndpoint,
  insertEndpoint,
  listEndpointsWithHealth,
  type NewEndpoint,
  nextEndpointId,
} from '../../../services/webhooks/src/endpoints/endpoint.repository.ts';
import { migrations } from '../../../services/webhooks/src/migrations/index.ts';
import { WORK_SESSION_SETTINGS } from '../../../services/webhooks/src/queue/postgres-settings.rules.ts';
import { createRetrySchedule } from '../../../services/webhooks/src/queue/retry.rules.ts';
import { createReceiverClient } from '../../../services/webhooks/src/receivers/receiver.client.ts';
import { generateSecret } from '../../../services/webhooks/src/receivers/signature.rules.ts';
import { replayEntity } from '../../../services/webhooks/src/replays/replay.entity.ts';
import { createSigningSecrets } from '../../../services/webhooks/src/secrets/signing-secrets.cache.ts';
import {
  createDeliveryEngine,
  type DeliveryEngine,
} from '../../../services/webhooks/src/sending/delivery-engine.ts';
import { createLeaseSession } from '../../../services/webhooks/src/sending/lease-session.worker.ts';
import { createLostLeasesWorker } from '../../../services/webhooks/src/sending/lost-leases.worker.ts';
import { createTestDatabase, eventually, logger, PATIENT_BOUNDS } from '../../support/index.ts';
import { startGuard } from './guard.ts';
import { queueOn } from './queue-on.ts';
import { createIntake } from './take-in.ts';
import { watched } from './watched-system.ts';

export const BY_OPERATOR: Identity = { issuer: 'operator', role: 'operator', scopes: new Set() };

/** Settled up to whatever is in the log. */
const WHOLE_FEED = {
  settled: Number.POSITIVE_INFINITY,
  cursorOf: ({ number }: { number: number }) => String(number),
};

export type DeliveryWorld = Awaited<ReturnType<typeof startDeliveryWorld>>;

/** Longer than any test: what a receiver doesn't answer ends when the test closes it, and a slow machine ends nothing. */
const LONG_MS = 600_000;

/** A database of its own and, on it, as many delivery engines as a test starts. Events enter without Kafka. */
export async function startDeliveryWorld() {
  const { url, drop } = await createTestDatabase(migrations, 'webhooks');
  // As the service has them: only the requests' database knows entities.
  const settings = { url, migrations, logger, bounds: PATIENT_BOUNDS };
  const database = createDatabase({ ...settings, poolMax: 8, sessionSettings: WORK_SESSION_SETTINGS });
  const apiDatabase = createDatabase({ ...settings, entities: [endpointEntity, replayEntity] });
  await Promise.all([database.start(), apiDatabase.start()]);
  const secrets = createSigningSecrets(createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }]));
  const endpoints = {
    async insert(
      tenantId: number,
      endpoint: Pick<NewEndpoint, 'url' | 'events' | 'secret'> & Partial<Pick<NewEndpoint, 'scopes'>>,
      headers: Record<string, string> = {},
    ) {
      const scope = database.forTenant(tenantId);
      const id = await nextEndpointId(scope);
      const owner = { tenantId, endpointId: id, url: endpoint.url };
      const sealed = { ...secrets.seal(owner, endpoint.secret), ...secrets.sealHeaders(owner, headers) };
      const row = await scope.transaction((tx) =>
        insertEndpoint(tx, { scopes: [...ENDPOINT_SCOPES], ...endpoint, ...sealed, id }),
      );
      return { ...row, secret: endpoint.secret };
    },
    list: (tenantId: number) => listEndpointsWithHealth(database.forTenant(tenantId)),
    delete: (tenantId: number, id: number) =>
      apiDatabase.forTenant(tenantId).transaction((tx) => deleteEndpoint(tx, id)),
  };
  const takeIn = createIntake(database);
  const log = {
    page: (tenantId: number, query: ListDeliveriesQuery) => listDeliveries(database, tenantId, query),
    summaries: (tenantId: number, query: ListDeliveriesQuery) =>
      listDeliverySummaries(database, tenantId, query),
    async find(tenantId: number, id: number) {
      const row = await findDeliveryWithAttempts(database.forTenant(tenantId), id);
      return row && deliveryDetailRecord(row, { feed: WHOLE_FEED, seesTranscripts: true });
    },
  };
  const stops: (() => Promise<void>)[] = [];
  const session = createLeaseSession({
    url,
    timeoutMs: LONG_MS,
    logger,
  });
  await session.start();
  await eventually(() => expect(session.owner()).not.toBeNull());

  return {
    url,
    database,
    apiDatabase,
    endpoints,
    log,
    queue: (leaseMs: number) => queueOn(database.system, leaseMs),
    /** A live process's number, for claims of the test's own. */
    owner: () => session.owner() ?? 0,
    /** Takes events in as a process that sends nothing itself. Returns the number of deliveries. */
    async receive(...received: DomainEvent[]) {
      return (await takeIn(...received)).reduce((sum, count) => sum + count, 0);
    },
    subscribe: (
      tenantId: number,
      url: string,
      names: WebhookEventName[] = ['appointment.created'],
      headers: Record<string, string> = {},
    ) => endpoints.insert(tenantId, { url, events: names, secret: generateSecret() }, headers),
    /** The tenant's newest delivery, with its attempts. */
    async latest(tenantId: number) {
      const { rows } = await log.page(tenantId, { page: 1, per_page: 1 });
      const delivery = await log.find(tenantId, rows[0]?.id ?? 0);
      if (!delivery) throw new Error('There is no delivery.');
      return delivery;
    },
    /**
     * Retries come after a tenth of a second each and any address is allowed, by default. What a claim brings comes to the
     * engine once `claimAnswered` has resolved.
     * `pollMs`: how often it looks for work of its own accord.
     */
    async startEngine({
      claimAnswered = async () => {},
      retryDelaysSeconds = [0.1, 0.1],
      timeoutMs = LONG_MS,
      pollMs = 1_000,
      leaseMarginMs = 5_000,
      total = 200,
      perTenant = 64,
      perEndpoint = 8,
      guard = startGuard({ allowPrivate: true }).guard,
    } = {}) {
      const metrics = createMetrics();
      const leaseMs = timeoutMs + leaseMarginMs;
      const session = createLeaseSession({
        url,
        timeoutMs: LONG_MS,
        logger,
      });
      const engine: DeliveryEngine = createDeliveryEngine({
        database: {
          ...database,
          system: watched(database.system, (statement) =>
            statement === 'deliveries_claim' ? claimAnswered() : undefined,
          ),
        },
        receiver: createReceiverClient({ timeoutMs, connections: total, keepUpTo: 2 * total, guard }),
        secrets,
        schedule: createRetrySchedule(retryDelaysSeconds),
        limits: { total, perTenant, perEndpoint },
        owner: session.owner,
        announce: session.announce,
        leaseMs,
        pollMs,
        unsignedRetryMs: LONG_MS,
        logger,
        metrics,
      });
      session.listen(engine);
      const lostLeases = createLostLeasesWorker({
        system: database.system,
        logger,
        onQueued: () => engine.wake(),
      });
      const ended = createEndedEndpointsWorker({ database, logger });
      await startComponents([session, engine, lostLeases, ended], logger);
      stops.push(async () => {
        await ended.stop?.();
        await lostLeases.stop?.();
        await engine.stop();
        await session.stop();
      });
      return { engine, metrics };
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await session.stop();
      await Promise.all([database.stop(), apiDatabase.stop()]);
      await drop();
    },
  };
}

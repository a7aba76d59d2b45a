import { type Appointment, SNAPSHOT_PAGE, type SnapshotEntry, snapshotQuery } from '@frontdesk/contracts';
import { createDatabase } from '@frontdesk/database';
import { createMetrics, loadConfig, ok, startParts } from '@frontdesk/service';
import { configSchema } from '../../../services/crm/src/config.ts';
import { migrations } from '../../../services/crm/src/data/migrations/index.ts';
import { buildCrm } from '../../../services/crm/src/service.ts';
import {
  type Caller,
  createTestDatabase,
  engines,
  identityKeys,
  type InjectedRequest,
  integratorOf,
  logger,
  recordedEvents,
  signedRequests,
  startNeighbours,
  uniquePrefix,
} from '../../support/index.ts';

export type CrmWorld = Awaited<ReturnType<typeof startCrm>>;

/** Gateway and scheduling as far as the crm asks them: tenants, and the snapshot of appointments. */
const neighboursWith = (appointments: SnapshotEntry<Appointment>[]) =>
  startNeighbours((app) => {
    app.get(
      '/internal/snapshots/appointments',
      { schema: { querystring: snapshotQuery } },
      async ({ query }) => {
        const isAfter = (entry: SnapshotEntry<Appointment>) =>
          entry.tenant_id > query.after_tenant ||
          (entry.tenant_id === query.after_tenant && entry.aggregate_id > query.after_id);
        return ok(appointments.filter(isAfter).slice(0, SNAPSHOT_PAGE));
      },
    );
  });

/**
 * A crm of the test's own: its database, its topics. With `isWhole` all of it runs, else what requests need.
 * `appointments` are what scheduling holds, in the order of tenant and id.
 */
export async function startCrm(
  options: { isWhole?: boolean; appointments?: SnapshotEntry<Appointment>[] } = {},
) {
  const { isWhole = false, appointments = [] } = options;
  const keys = identityKeys();
  const [neighbours, testDatabase] = await Promise.all([
    neighboursWith(appointments),
    createTestDatabase(migrations, 'crm'),
  ]);
  const config = loadConfig(configSchema, {
    DATABASE_URL: testDatabase.url,
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: uniquePrefix(),
    GATEWAY_INTERNAL_URL: neighbours.url,
    SCHEDULING_INTERNAL_URL: neighbours.url,
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('crm'),
    PORT: '0',
    INTERNAL_PORT: '0',
  });
  const crm = await buildCrm(config, { logger, metrics: createMetrics() });
  const needed = isWhole ? crm.parts : crm.parts.filter(({ name }) => name === 'database');
  const running = await startParts(needed, logger);
  const database = createDatabase({ url: testDatabase.url, migrations, logger });
  await database.start();

  const requests = signedRequests('crm');
  const send = (app: 'api' | 'internal', caller: Caller, request: InjectedRequest) =>
    requests.send(crm[app], caller, request);

  return {
    config,
    crm,
    database,
    newTenant: neighbours.newTenant,
    forgetTenant: neighbours.forgetTenant,
    tokenOf: requests.tokenOf,
    send,
    /** A request to API v1 by an integrator of this tenant. */
    api: (
      tenantId: number,
      method: InjectedRequest['method'],
      url: string,
      body?: object,
      headers?: InjectedRequest['headers'],
    ) => send('api', integratorOf(tenantId), { method, url, body, headers }),
    events: (tenantId: number) => recordedEvents(database, tenantId),
    async stop() {
      await running.stop();
      await database.stop();
      await neighbours.stop();
      await testDatabase.drop();
    },
  };
}

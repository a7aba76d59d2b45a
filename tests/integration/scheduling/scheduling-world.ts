import type { BusinessDocument } from '@frontdesk/contracts';
import { createDatabase, systemSql } from '@frontdesk/database';
import { createMetrics, loadConfig, notFound, ok, startParts } from '@frontdesk/service';
import { configSchema } from '../../../services/scheduling/src/config.ts';
import { migrations } from '../../../services/scheduling/src/data/migrations/index.ts';
import { buildScheduling } from '../../../services/scheduling/src/service.ts';
import {
  type Caller,
  createTestDatabase,
  engines,
  identityKeys,
  type InjectedRequest,
  integratorOf,
  logger,
  operator,
  recordedEvents,
  signedRequests,
  startNeighbours,
  uniquePrefix,
  uniqueTenantId,
} from '../../support/index.ts';

export type SchedulingWorld = Awaited<ReturnType<typeof startScheduling>>;

/** Gateway and crm as far as scheduling asks them: which tenants and which customers there are. */
async function startGatewayAndCrm() {
  const customers = new Set<string>();
  const asked: string[] = [];
  const neighbours = await startNeighbours((app) => {
    app.get('/internal/tenants/:tenant_id/customers/:id', async ({ params }) => {
      const { tenant_id, id } = params as { tenant_id: string; id: string };
      asked.push(`${tenant_id}:${id}`);
      if (!customers.has(`${tenant_id}:${id}`)) throw notFound('Customer');
      return ok({ id: Number(id), name: 'Somebody' });
    });
  });
  return { ...neighbours, customers, asked };
}

/** A scheduling of the test's own. With `isWhole` all of it runs, else what requests need. */
export async function startScheduling({ isWhole = false, crmUrl = '' } = {}) {
  const keys = identityKeys();
  const [neighbours, testDatabase] = await Promise.all([
    startGatewayAndCrm(),
    createTestDatabase(migrations, 'scheduling'),
  ]);
  const config = loadConfig(configSchema, {
    DATABASE_URL: testDatabase.url,
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: uniquePrefix(),
    GATEWAY_INTERNAL_URL: neighbours.url,
    CRM_INTERNAL_URL: crmUrl || neighbours.url,
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('scheduling'),
    PORT: '0',
    INTERNAL_PORT: '0',
  });
  const scheduling = await buildScheduling(config, { logger, metrics: createMetrics() });
  const needed = isWhole ? scheduling.parts : scheduling.parts.filter(({ name }) => name === 'database');
  const running = await startParts(needed, logger);
  const database = createDatabase({ url: testDatabase.url, migrations, logger });
  await database.start();

  const requests = signedRequests('scheduling');
  const send = (app: 'api' | 'internal', caller: Caller, request: InjectedRequest) =>
    requests.send(scheduling[app], caller, request);

  return {
    config,
    database,
    neighbours,
    send,
    newTenant: neighbours.newTenant,
    newCustomer(tenantId: number): number {
      const id = uniqueTenantId();
      neighbours.customers.add(`${tenantId}:${id}`);
      return id;
    },
    importBusiness: (tenantId: number, document: Partial<BusinessDocument> | object) =>
      send('internal', operator, {
        method: 'PUT',
        url: `/internal/tenants/${tenantId}/business`,
        body: document,
      }),
    /** A request to API v1 by an integrator of this tenant. */
    api: (
      tenantId: number,
      method: InjectedRequest['method'],
      path: string,
      body?: object,
      headers?: InjectedRequest['headers'],
    ) => send('api', integratorOf(tenantId), { method, url: `/api/v1${path}`, body, headers }),
    events: (tenantId: number) => recordedEvents(database, tenantId),
    /** Runs SQL of the test's own; `$1` is the tenant. */
    sql: (tenantId: number, text: string) =>
      database.system.many(systemSql<never, [tenantId: number]>(`test_${text}`.slice(0, 60), text), tenantId),
    async stop() {
      await running.stop();
      await database.stop();
      await neighbours.stop();
      await testDatabase.drop();
    },
  };
}

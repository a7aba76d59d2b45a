import { randomUUID } from 'node:crypto';
import {
  type BusinessDocument,
  type EventEnvelope,
  IDENTITY_HEADER,
  type Issuer,
  type Role,
  type Tenant,
} from '@frontdesk/contracts';
import { createDatabase, systemSql } from '@frontdesk/database';
import {
  createApp,
  createLogger,
  createMetrics,
  httpPart,
  loadConfig,
  notFound,
  ok,
  startParts,
} from '@frontdesk/service';
import { configSchema } from '../../../services/scheduling/src/config.ts';
import { migrations } from '../../../services/scheduling/src/data/migrations/index.ts';
import { buildScheduling } from '../../../services/scheduling/src/service.ts';
import { createTestDatabase, engines, identityKeys, uniqueTenantId } from '../../support/index.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

const allEvents = systemSql<{ envelope: EventEnvelope }, [tenantId: number]>(
  'test_events',
  'select envelope from outbox where tenant_id = $1 order by id',
);

/** Gateway and crm as far as scheduling asks them, over HTTP: which tenants and which customers there are. */
async function startNeighbours() {
  const tenants = new Map<number, Tenant>();
  const customers = new Set<string>();
  const asked: string[] = [];
  const app = createApp({ logger, metrics: createMetrics() });
  app.get('/internal/tenants/:tenant_id', async ({ params }) => {
    const tenant = tenants.get(Number((params as { tenant_id: string }).tenant_id));
    if (!tenant) throw notFound('Tenant');
    return ok({ ...tenant, version: 1 });
  });
  app.get('/internal/tenants/:tenant_id/customers/:id', async ({ params }) => {
    const { tenant_id, id } = params as { tenant_id: string; id: string };
    asked.push(`${tenant_id}:${id}`);
    if (!customers.has(`${tenant_id}:${id}`)) throw notFound('Customer');
    return ok({ id: Number(id), name: 'Somebody' });
  });
  const part = httpPart({ name: 'neighbours', app, host: '127.0.0.1', port: 0 });
  await part.start?.();
  return { tenants, customers, asked, url: part.url(), stop: () => app.close() };
}

interface Caller {
  issuer: Issuer;
  role: Role;
  tenantId?: number;
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

/** A scheduling of the test's own. With `isWhole` all of it runs, else what requests need. */
export async function startScheduling({ isWhole = false, crmUrl = '' } = {}) {
  const keys = identityKeys();
  const [neighbours, testDatabase] = await Promise.all([
    startNeighbours(),
    createTestDatabase(migrations, 'scheduling'),
  ]);
  const config = loadConfig(configSchema, {
    DATABASE_URL: testDatabase.url,
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: `test-${randomUUID().slice(0, 8)}.`,
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

  const signers = new Map<Issuer, ReturnType<typeof keys.signer>>();
  const signerOf = (issuer: Issuer) => signers.getOrInsertComputed(issuer, keys.signer);
  const send = async (app: 'api' | 'internal', caller: Caller, request: Request) => {
    const { issuer, role, tenantId } = caller;
    const token = await (await signerOf(issuer)).sign({ audience: 'scheduling', role, tenantId });
    const { method, url, body, headers = {} } = request;
    const response = await scheduling[app].inject({
      method,
      url,
      headers: { [IDENTITY_HEADER]: token, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };

  return {
    config,
    database,
    neighbours,
    send,
    newTenant(fields: Partial<Tenant> = {}): number {
      const id = uniqueTenantId();
      const at = '2026-01-01T00:00:00Z';
      neighbours.tenants.set(id, {
        ...{ id, name: `Tenant ${id}`, plan: 'pro', status: 'active', created_at: at, updated_at: at },
        ...{ timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' },
        ...fields,
      });
      return id;
    },
    newCustomer(tenantId: number): number {
      const id = uniqueTenantId();
      neighbours.customers.add(`${tenantId}:${id}`);
      return id;
    },
    importBusiness: (tenantId: number, document: Partial<BusinessDocument> | object) =>
      send(
        'internal',
        { issuer: 'operator', role: 'operator' },
        { method: 'PUT', url: `/internal/tenants/${tenantId}/business`, body: document },
      ),
    /** A request to API v1 by an integrator of this tenant. */
    api: (
      tenantId: number,
      method: Request['method'],
      path: string,
      body?: object,
      headers?: Request['headers'],
    ) =>
      send(
        'api',
        { issuer: 'gateway', role: 'integrator', tenantId },
        { method, url: `/api/v1${path}`, body, headers },
      ),
    events: async (tenantId: number) =>
      (await database.system.many(allEvents, tenantId)).map(({ envelope }) => envelope),
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

export type SchedulingWorld = Awaited<ReturnType<typeof startScheduling>>;

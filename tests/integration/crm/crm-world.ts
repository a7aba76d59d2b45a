import { randomUUID } from 'node:crypto';
import {
  type Appointment,
  type EventEnvelope,
  IDENTITY_HEADER,
  type Issuer,
  type Role,
  SNAPSHOT_PAGE,
  type SnapshotEntry,
  snapshotQuery,
  type tenantSchema,
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
import { configSchema } from '../../../services/crm/src/config.ts';
import { migrations } from '../../../services/crm/src/data/migrations/index.ts';
import { buildCrm } from '../../../services/crm/src/service.ts';
import { createTestDatabase, engines, identityKeys, uniqueTenantId } from '../../support/index.ts';

const context = { logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() };

type Tenant = ReturnType<typeof tenantSchema.parse>;

const allEvents = systemSql<{ envelope: EventEnvelope }, [tenantId: number]>(
  'test_events',
  'select envelope from outbox where tenant_id = $1 order by id',
);

/** Gateway and scheduling as far as the crm asks them: tenants, and the snapshot of appointments, over HTTP. */
async function startNeighbours(appointments: SnapshotEntry<Appointment>[]) {
  const tenants = new Map<number, Tenant>();
  const app = createApp({ logger: context.logger, metrics: createMetrics() });
  app.get('/internal/tenants/:tenant_id', async ({ params }) => {
    const tenant = tenants.get(Number((params as { tenant_id: string }).tenant_id));
    if (!tenant) throw notFound('Tenant');
    return ok(tenant);
  });
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
  const part = httpPart({ name: 'neighbours', app, host: '127.0.0.1', port: 0 });
  await part.start?.();
  return { tenants, url: part.url(), stop: () => app.close() };
}

/**
 * A crm of the test's own: its database, its keys, its topics. With `isWhole` all of it runs, else what requests need.
 * `appointments` are what scheduling holds, in the order of tenant and id.
 */
export async function startCrm(
  options: { isWhole?: boolean; appointments?: SnapshotEntry<Appointment>[] } = {},
) {
  const { isWhole = false, appointments = [] } = options;
  const keys = identityKeys();
  const [neighbours, testDatabase] = await Promise.all([
    startNeighbours(appointments),
    createTestDatabase(migrations, 'crm'),
  ]);
  const config = loadConfig(configSchema, {
    DATABASE_URL: testDatabase.url,
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: `test-${randomUUID().slice(0, 8)}.`,
    GATEWAY_INTERNAL_URL: neighbours.url,
    SCHEDULING_INTERNAL_URL: neighbours.url,
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('crm'),
    PORT: '0',
    INTERNAL_PORT: '0',
  });
  const crm = await buildCrm(config, { ...context, metrics: createMetrics() });
  const needed = isWhole ? crm.parts : crm.parts.filter(({ name }) => name === 'database');
  const running = await startParts(needed, context.logger);
  const database = createDatabase({ url: testDatabase.url, migrations, logger: context.logger });
  await database.start();

  const signed = async ({ issuer, role, tenantId }: Caller) =>
    (await keys.signer(issuer)).sign({ audience: 'crm', role, tenantId });
  const send = async (app: 'api' | 'internal', caller: Caller, request: Request) => {
    const token = await signed(caller);
    const { method, url, body, headers = {} } = request;
    const response = await crm[app].inject({
      method,
      url,
      headers: { [IDENTITY_HEADER]: token, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };

  return {
    config,
    crm,
    database,
    /** A tenant that the gateway knows. */
    newTenant(fields: Partial<Tenant> = {}): number {
      const id = fields.id ?? uniqueTenantId();
      const at = '2026-01-01T00:00:00Z';
      const berlin = { timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' };
      const tenant: Tenant = {
        ...{ id, name: `Tenant ${id}`, plan: 'pro', status: 'active', created_at: at, updated_at: at },
        ...berlin,
        ...fields,
      };
      neighbours.tenants.set(id, tenant);
      return id;
    },
    /** A request to API v1 by an integrator of this tenant. */
    api: (
      tenantId: number,
      method: Request['method'],
      url: string,
      body?: object,
      headers?: Request['headers'],
    ) => send('api', { issuer: 'gateway', role: 'integrator', tenantId }, { method, url, body, headers }),
    forgetTenant: (id: number) => neighbours.tenants.delete(id),
    send,
    signed,
    events: async (tenantId: number) =>
      (await database.system.many(allEvents, tenantId)).map(({ envelope }) => envelope),
    async stop() {
      await running.stop();
      await database.stop();
      await neighbours.stop();
      await testDatabase.drop();
    },
  };
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

export type CrmWorld = Awaited<ReturnType<typeof startCrm>>;

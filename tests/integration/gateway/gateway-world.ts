import { randomInt, randomUUID } from 'node:crypto';
import {
  type createKeyBody,
  type Failure,
  IDENTITY_HEADER,
  type Operation,
  type PageMeta,
  type Plan,
} from '@frontdesk/contracts';
import { createDatabase, systemSql } from '@frontdesk/database';
import { createLogger, createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import type { z } from 'zod';
import { buildGateway } from '../../../services/gateway/src/app.ts';
import { configSchema } from '../../../services/gateway/src/config.ts';
import { migrations } from '../../../services/gateway/src/migrations/index.ts';
import {
  createTestDatabase,
  engines,
  eventually,
  identityKeys,
  PATIENT_BOUNDS,
  patientUrl,
  type Receiver,
  startReceiver,
  uniqueTenantId,
  whoRuns,
  withinOneWindow,
} from '../../support/index.ts';
import type { Caller } from '../../support/signed-requests.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/**
 * Of what the product bounds by a time, a passing test meets only what it sets itself: a busy machine is slow with everything, and keys
 * are looked up again only where a change of them is heard of, or can't be.
 */
const NEVER_MS = '1800000';
const PATIENCE = {
  DATABASE_WAIT_MS: NEVER_MS,
  DATABASE_TENANT_WAIT_MS: NEVER_MS,
  DATABASE_REQUEST_MS: NEVER_MS,
  REDIS_TIMEOUT_MS: NEVER_MS,
  RATE_LIMIT_TIMEOUT_MS: NEVER_MS,
  KEY_CACHE_MS: NEVER_MS,
  UNKNOWN_KEY_CACHE_MS: NEVER_MS,
  INGEST_PACE_MS: NEVER_MS,
  UPSTREAM_TIMEOUT_MS: NEVER_MS,
  UPSTREAM_SILENCE_MS: NEVER_MS,
  SERVICE_TIMEOUT_MS: NEVER_MS,
  CLIENT_HEADERS_TIMEOUT_MS: NEVER_MS,
  CLIENT_REQUEST_TIMEOUT_MS: NEVER_MS,
  SHUTDOWN_TIMEOUT_MS: NEVER_MS,
};

/** For a gateway that loses Redis: ioredis keeps the timer of a command that fails, and a test file ends after all its timers. */
export const REDIS_MAY_GO = { REDIS_TIMEOUT_MS: '5000' };

const startIdsAt = systemSql<never, { id: number }>(
  'test_ids',
  `select setval(pg_get_serial_sequence('tenants', 'tenant_id'), $id)`,
);

export interface Gateway {
  url: string;
  internalUrl: string;
  stop(): Promise<void>;
}

export type { Caller };
export const operator: Caller = { issuer: 'operator', role: 'operator' };
export const adminOf = (tenantId: number): Caller => ({ issuer: 'settings-ui', role: 'admin', tenantId });

/** What tests ask of a record that came back; the rest of it they compare as a whole. */
interface AnsweredRecord {
  id: number;
  key: string;
  last_four: string;
  scopes: readonly string[];
  updated_at: string;
  /** Of statistics. */
  hours: { starts_at: string; allowed: number; denied: number }[];
}

/** The envelope, good or bad, as far as tests look into it. */
export interface AnsweredBody extends Partial<Omit<Failure, 'success' | 'data'>> {
  data: AnsweredRecord & readonly AnsweredRecord[];
  meta: PageMeta;
  /** Of `/health/ready`. */
  missing: readonly string[];
}

export type Answer = { status: number; headers: Headers; body: AnsweredBody };

/** One database and one backend, and as many gateways over them as the test starts. */
export async function startGatewayWorld() {
  const keys = identityKeys();
  const testDatabase = await createTestDatabase(migrations, 'gateway');
  const backend = await startReceiver();
  answerAsBackend(backend);
  const sources = await startCallSources();
  const database = createDatabase({ url: testDatabase.url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();
  // Tenants of other tests count in the same Redis.
  await database.system.run(startIdsAt, { id: uniqueTenantId() });
  const gateways: Gateway[] = [];

  const environment = (overrides: Record<string, string> = {}) => ({
    DATABASE_URL: patientUrl(testDatabase.url),
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: `test-${randomUUID().slice(0, 8)}.`,
    REDIS_URL: engines().redisUrl,
    ...PATIENCE,
    SCHEDULING_URL: backend.url,
    CRM_URL: backend.url,
    CALLS_URL: backend.url,
    WEBHOOKS_URL: backend.url,
    CALLS_INTERNAL_URL: sources.url,
    TRUSTED_PROXIES: '127.0.0.1',
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('gateway'),
    PORT: '0',
    INTERNAL_PORT: '0',
    ...overrides,
  });

  /** A gateway that has found Redis, without these components. Others' gateways are counted too: only a test of that has it. */
  const startGateway = async (
    overrides?: Record<string, string>,
    {
      without = ['gateway count'],
      operations,
    }: { without?: string[]; operations?: readonly Operation[] } = {},
  ): Promise<Gateway> => {
    const config = loadConfig(configSchema, environment(overrides));
    const { components, api, internal } = await buildGateway(
      config,
      { logger, metrics: createMetrics() },
      operations,
    );
    // Publishing is the outbox's own story; the gateway is whole without Kafka.
    const leftOut = ['publisher', 'outbox relay', ...without];
    const needed = components.filter(({ name }) => !leftOut.includes(name));
    const running = await startComponents(needed, logger);
    const gateway = { url: api.listeningOrigin, internalUrl: internal.listeningOrigin, stop: running.stop };
    gateways.push(gateway);
    for (const component of needed)
      await eventually(async () => expect((await component.ready?.()) ?? null).toBeNull());
    return gateway;
  };

  /** A request to the internal port, vouched for as this caller. */
  const internal = async (
    gateway: Gateway,
    caller: Caller,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const { issuer, ...claims } = whoRuns(caller, 'gateway', { method, url: path });
    const token = await (await keys.signer(issuer)).sign({ audience: 'gateway', ...claims });
    return send(`${gateway.internalUrl}${path}`, {
      method,
      headers: {
        [IDENTITY_HEADER]: token,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };

  const newTenant = async (
    gateway: Gateway,
    fields: { plan?: Plan; name?: string; timezone?: string; country?: string; currency?: string } = {},
  ): Promise<number> => {
    const berlin = { timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' };
    const body = { name: 'Salon', plan: 'enterprise', ...berlin, ...fields };
    return (await internal(gateway, operator, 'POST', '/internal/tenants', body)).body.data.id;
  };

  const newKey = async (
    gateway: Gateway,
    tenantId: number,
    fields: Partial<z.input<typeof createKeyBody>> = {},
  ): Promise<{ id: number; key: string }> =>
    (
      await internal(gateway, operator, 'POST', `/internal/tenants/${tenantId}/keys`, {
        name: 'Sync',
        ...fields,
      })
    ).body.data;

  return {
    database,
    backend,
    sources,
    environment,
    startGateway,
    internal,
    newTenant,
    newKey,
    /** A tenant with one key. */
    async newCaller(gateway: Gateway, fields: { plan?: Plan } = {}) {
      const tenantId = await newTenant(gateway, fields);
      return { tenantId, ...(await newKey(gateway, tenantId)) };
    },
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await database.stop();
      await backend.close();
      await sources.close();
      await testDatabase.drop();
    },
  };
}

export type GatewayWorld = Awaited<ReturnType<typeof startGatewayWorld>>;

/** A request to the public port by a client at an address of its own, so that tests don't share failed attempts. */
export function get(gateway: Gateway, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${gateway.url}${path}`, { headers: { 'x-forwarded-for': randomAddress(), ...headers } });
}

export async function send(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A value that the gateway's metrics tell, by name and labels as they are written there. */
export async function gaugeOf(gateway: Gateway, name: string): Promise<number> {
  const metrics = await (await fetch(`${gateway.internalUrl}/metrics`)).text();
  const line = metrics.split('\n').find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
export const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Runs the test within one minute of the counters; again where a minute ended meanwhile. */
export const withinOneMinute = (test: () => Promise<void>): Promise<void> => withinOneWindow(60, test);

function answerAsBackend(backend: Receiver): void {
  const body = JSON.stringify({ success: true, data: [] });
  backend.respondWith(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
}

/**
 * What calls tells of sources, and is told of refused messages: of any address that it leads to one, but for those that
 * are said not to; and that each is of a tenant of its own, but for those that are said to be of another.
 */
async function startCallSources() {
  const receiver = await startReceiver();
  const missing = new Set<string>();
  const tenants = new Map<string, number>();
  const refused: { token: string; reason: string; messages: number }[] = [];
  let isOfReleaseBefore = false;
  const answerFor = (token: string) => {
    const tenantId = tenants.get(token) ?? uniqueTenantId();
    tenants.set(token, tenantId);
    return isOfReleaseBefore ? token : { token, tenant_id: tenantId };
  };
  receiver.respondWith(({ path, rawBody }) => {
    const { tokens = [], ...said } = JSON.parse(rawBody) as { tokens?: string[]; refused?: typeof refused };
    if (path === '/internal/call-sources/refused') {
      refused.push(...(said.refused ?? []));
      return { status: 200, body: JSON.stringify({ success: true, data: { messages: 1 } }) };
    }
    const found = missing.has('all') ? [] : tokens.filter((token) => !missing.has(token));
    const data = found.map(answerFor);
    return { status: 200, body: JSON.stringify({ success: true, data }) };
  });
  return Object.assign(receiver, {
    missing,
    tenants,
    refused,
    /** Calls of the release before says no tenants. */
    sayNoTenants(isSaid = true) {
      isOfReleaseBefore = isSaid;
    },
  });
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call, CallProviderName, createCallSourceBody } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { type App, createMetrics, startComponents } from '@frontdesk/service';
import type { z } from 'zod';
import { buildCalls } from '../../../services/calls/src/app.ts';
import { type CallsConfig, configSchema } from '../../../services/calls/src/config.ts';
import { migrations } from '../../../services/calls/src/migrations/index.ts';
import {
  eventually,
  type InjectedRequest,
  logger,
  operator,
  startNeighbours,
  startServiceWorld,
} from '../../support/index.ts';
import { PATIENT_ENV } from '../../support/patient-env.ts';
import { fakeCrm } from './fake-crm.ts';
import { fakeScheduling } from './fake-scheduling.ts';
import { PROVIDER_SECRETS, type SignedMessage } from './signed-messages.ts';

export const PUBLIC_URL = 'https://desk.example.com';

const countToAsk = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_to_ask',
  'select count(*) as count from calls where tenant_id = $tenantId and link_due_at is not null and link_attempts = 0',
);

const makeChecksDue = systemSql<never>(
  'test_make_checks_due',
  'update calls set appointment_due_at = now() where appointment_id is distinct from checked_appointment_id',
);

const countToCheck = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_to_check',
  `select count(*) as count from calls where tenant_id = $tenantId and appointment_id is distinct from checked_appointment_id
     and appointment_id is not null and appointment_attempts + appointment_denials = 0`,
);

const makeLinksDue = systemSql<never>(
  'test_make_links_due',
  'update calls set link_due_at = now() where link_due_at is not null',
);

const HOUR_MS = String(3_600_000);
/** No wait of the product's ends by itself in a test that isn't about it. */
const LONG_WAITS = { ANNOUNCE_AFTER_MS: HOUR_MS, LINK_WAIT_MS: HOUR_MS };

/** What runs beside the requests, without Kafka. */
const WORKERS = [
  ...['announcer', 'appointment linker', 'call linker', 'message reader'],
  ...['refused messages', 'retention'],
];
export type Worker = (typeof WORKERS)[number];

export type CallsWorld = Awaited<ReturnType<typeof startCalls>>;

export interface Source {
  id: number;
  tenantId: number;
  secret: string;
  /** As the provider knows it. */
  url: string;
  path: string;
}

/** A calls service of the test's own, with a gateway that knows tenants, and a crm. */
export async function startCalls(
  options: {
    isWhole?: boolean;
    workers?: Worker[];
    env?: Record<string, string>;
    crm?: ReturnType<typeof fakeCrm>;
    scheduling?: ReturnType<typeof fakeScheduling>;
  } = {},
) {
  const { isWhole = false, workers = WORKERS, crm = fakeCrm(), scheduling = fakeScheduling() } = options;
  const env = { ...LONG_WAITS, ...options.env };
  const neighbours = await startNeighbours((app) => {
    crm.routes(app);
    scheduling.routes(app);
  });
  const directory = await mkdtemp(join(tmpdir(), 'calls-'));
  const keysFile = join(directory, 'secrets.json');
  await writeFile(
    keysFile,
    JSON.stringify({ keys: [{ id: 'k1', key: randomBytes(32).toString('base64') }] }),
  );
  const world = await startServiceWorld({
    name: 'calls',
    configSchema,
    migrations,
    build: buildCalls,
    isWhole,
    env: {
      GATEWAY_INTERNAL_URL: neighbours.url,
      CRM_INTERNAL_URL: neighbours.url,
      SCHEDULING_INTERNAL_URL: neighbours.url,
      SECRET_KEYS_FILE: keysFile,
      PUBLIC_URL,
      ...env,
    },
  });
  const running = await startComponents(
    world.service.components.filter(({ name }) => !isWhole && workers.includes(name)),
    logger,
  );

  const isLinking = isWhole || workers.includes('call linker');
  const isChecking = isWhole || workers.includes('appointment linker');

  const admin = (method: InjectedRequest['method'], url: string, body?: object, headers = {}) =>
    world.send('internal', operator, { method, url, body, headers });

  const newSource = async (
    tenantId: number,
    provider: CallProviderName = 'generic',
    fields: Partial<z.input<typeof createCallSourceBody>> = {},
  ): Promise<Source> => {
    const body = { provider, name: `Phone of ${provider}`, secret: PROVIDER_SECRETS[provider], ...fields };
    const { data } = (await admin('POST', `/internal/tenants/${tenantId}/call-sources`, body)).body;
    const path = data.ingest_url.slice(PUBLIC_URL.length);
    return { id: data.id, tenantId, secret: data.secret, url: data.ingest_url, path };
  };

  const ingestAt = async (api: App, path: string, { body, headers }: SignedMessage) => {
    const response = await api.inject({ method: 'POST', url: path, headers, payload: body });
    return { status: response.statusCode, body: response.json() };
  };

  const messages = async (tenantId: number, query = '') =>
    (await admin('GET', `/internal/tenants/${tenantId}/call-messages${query}`)).body.data;

  return {
    ...world,
    crm,
    scheduling,
    neighbours,
    newTenant: neighbours.newTenant,
    admin,
    newSource,
    ingestAt,
    /** Sends a message to a source's address, as the gateway passes it on. */
    ingest: (source: Pick<Source, 'path'>, message: SignedMessage) =>
      ingestAt(world.service.api, source.path, message),
    messages,
    /** Until every message of the tenant is settled, and its unknown callers and appointments are asked for. */
    settled: (tenantId: number) =>
      eventually(async () => {
        const all = await messages(tenantId, '?per_page=100');
        expect(all.filter(({ status }: { status: string }) => status === 'received')).toEqual([]);
        if (isLinking)
          expect(await world.database.system.one(countToAsk, { tenantId })).toEqual({ count: 0 });
        if (isChecking)
          expect(await world.database.system.one(countToCheck, { tenantId })).toEqual({ count: 0 });
        return all;
      }),
    /** Ends the time until crm is asked again, as it would pass. */
    makeLinksDue: () => world.database.system.run(makeLinksDue),
    /** The same until scheduling is asked again. */
    makeChecksDue: () => world.database.system.run(makeChecksDue),
    list: async (tenantId: number, query: Record<string, string> = {}) =>
      (await world.api(tenantId, 'GET', `/api/v1/calls?${new URLSearchParams(query)}`)).body,
    callOf: async (tenantId: number, id: number): Promise<Call> =>
      (await world.api(tenantId, 'GET', `/api/v1/calls/${id}`)).body.data,
    /** Types of the events about calls that are written so far, the oldest first. */
    eventTypes: async (tenantId: number) => (await world.events(tenantId)).map(({ type }) => type),
    /** What a process of the service over the same database reads. */
    environment: () => ({
      DATABASE_URL: world.config.DATABASE_URL,
      KAFKA_BROKERS: world.config.KAFKA_BROKERS.join(','),
      KAFKA_PREFIX: world.config.KAFKA_PREFIX,
      IDENTITY_PUBLIC_KEYS_FILE: world.config.IDENTITY_PUBLIC_KEYS_FILE,
      IDENTITY_PRIVATE_KEY_FILE: world.config.IDENTITY_PRIVATE_KEY_FILE,
      GATEWAY_INTERNAL_URL: neighbours.url,
      CRM_INTERNAL_URL: neighbours.url,
      SCHEDULING_INTERNAL_URL: neighbours.url,
      SECRET_KEYS_FILE: keysFile,
      PUBLIC_URL,
      ...PATIENT_ENV,
      ...env,
    }),
    /** The same within this process: the service once more, with these workers. */
    async startAnother(ofWorkers: Worker[], config: Partial<CallsConfig> = {}) {
      const service = await buildCalls({ ...world.config, ...config }, { logger, metrics: createMetrics() });
      const components = service.components.filter(
        ({ name }) => name === 'database' || ofWorkers.includes(name),
      );
      return { service, ...(await startComponents(components, logger)) };
    },
    async stop() {
      // Who is still asked answers.
      crm.set('up');
      scheduling.set('up');
      await running.stop();
      await world.stop();
      await neighbours.stop();
      await rm(directory, { recursive: true });
    },
  };
}

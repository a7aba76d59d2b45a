import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Audience, IDENTITY_HEADER } from '@frontdesk/contracts';
import type { MigrationClass } from '@frontdesk/database';
import { type App, createMetrics, loadConfig, type ServiceContext } from '@frontdesk/service';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { z } from 'zod';
import {
  createTestDatabase,
  createTopics,
  engines,
  identityKeys,
  logger,
  patientUrl,
  removeTopics,
  signedRequests,
  startNeighbours,
} from '../../support/index.ts';
import { startService } from '../../support/service-process.ts';
import type { Caller } from '../../support/signed-requests.ts';
import { fakeCrm } from '../calls/fake-crm.ts';

const LONG_MS = '600000';

interface Built {
  api?: unknown;
  internal: App;
}

/** A real process of a service, every route that it registers, and who may call each. */
export async function startUnderTest<Schema extends z.ZodType>(options: {
  name: Audience;
  configSchema: Schema;
  migrations: readonly MigrationClass[];
  build: (config: z.output<Schema>, context: ServiceContext) => Promise<Built>;
}) {
  const { name, migrations } = options;
  const keys = identityKeys();
  const neighbours = await startNeighbours((app) => fakeCrm().routes(app));
  const database = await createTestDatabase(migrations, `odd_${name.replace('-', '_')}`);
  const prefix = await createTopics();
  const others = Object.fromEntries(
    ['GATEWAY', 'CRM', 'SCHEDULING', 'CALLS', 'WEBHOOKS'].flatMap((other) => [
      [`${other}_INTERNAL_URL`, neighbours.url],
      [`${other}_URL`, neighbours.url],
    ]),
  );
  const env = {
    ...others,
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_URL: patientUrl(database.url),
    DATABASE_WAIT_MS: LONG_MS,
    DATABASE_REQUEST_MS: LONG_MS,
    DATABASE_TENANT_WAIT_MS: LONG_MS,
    SHUTDOWN_TIMEOUT_MS: LONG_MS,
    SERVICE_TIMEOUT_MS: LONG_MS,
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: prefix,
    REDIS_URL: engines().redisUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_TIMEOUT_MS: LONG_MS,
    REDIS_TIMEOUT_MS: LONG_MS,
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    ...(name !== 'webhooks' && { IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile(name) }),
    SECRET_KEYS_FILE: keys.secretKeysFile,
    PUBLIC_URL: 'https://desk.example.com',
    LINK_WAIT_MS: LONG_MS,
    ANNOUNCE_AFTER_MS: LONG_MS,
  };
  const routes = await routesOf(() =>
    options.build(loadConfig(options.configSchema, env), { logger, metrics: createMetrics() }),
  );
  const running = await startService(`services/${name}/src/main.ts`, { LOG_LEVEL: 'silent', ...env });
  const { tokenOf } = signedRequests(name);
  return {
    routes,
    running,
    newTenant: neighbours.newTenant,
    /** What vouches for a caller, for half a minute. */
    identityOf: async (caller: Caller) => ({ [IDENTITY_HEADER]: await tokenOf(caller) }),
    originOf: (path: string) =>
      /^\/(internal|health|metrics)/.test(path) ? running.internalUrl : running.url,
    async stop() {
      await running.kill();
      await neighbours.stop();
      await removeTopics(prefix);
      await database.drop();
    },
  };
}

export type UnderTest = Awaited<ReturnType<typeof startUnderTest>>;

/** The service is only put together, and not started. */
async function routesOf(build: () => Promise<Built>): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  const { api, internal } = await build();
  for (const app of [api, internal] as Partial<App>[]) await app?.ready?.();
  unsubscribe('fastify.initialization', watch);
  // Whether others are there is no matter of what is sent; what the gateway passes on is a test of its own.
  return routes.filter(
    ({ method, url }) => !Array.isArray(method) && method !== 'HEAD' && url !== '/health/ready',
  );
}

import type { Issuer } from '@frontdesk/contracts';
import { createDatabase, type MigrationClass } from '@frontdesk/database';
import {
  type App,
  type Component,
  createMetrics,
  loadConfig,
  type ServiceContext,
  startComponents,
} from '@frontdesk/service';
import type { z } from 'zod';
import { engines } from './engines.ts';
import { identityKeys } from './identity-keys.ts';
import { logger } from './logger.ts';
import { recordedEvents } from './outbox.ts';
import { PATIENT_ENV } from './patient-env.ts';
import { type Caller, type InjectedRequest, integratorOf, signedRequests } from './signed-requests.ts';
import { createTestDatabase, PATIENT_BOUNDS, patientUrl } from './test-database.ts';
import { createTopics, uniquePrefix } from './topics.ts';

/**
 * One service on a database and topics of its own. With `isWhole` all of it runs, else what requests need.
 * `env` is what it reads beside the common variables.
 */
export async function startServiceWorld<Schema extends z.ZodType>(options: {
  name: Issuer;
  configSchema: Schema;
  migrations: readonly MigrationClass[];
  build: (
    config: z.output<Schema>,
    context: ServiceContext,
  ) => Promise<{ components: Component[]; api: App; internal: App }>;
  env: Record<string, string>;
  isWhole: boolean;
}) {
  const { name, migrations, isWhole } = options;
  const keys = identityKeys();
  const testDatabase = await createTestDatabase(migrations, name);
  const config = loadConfig(options.configSchema, {
    DATABASE_URL: patientUrl(testDatabase.url),
    DATABASE_POOL_MAX: '8',
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: uniquePrefix(),
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile(name),
    PORT: '0',
    INTERNAL_PORT: '0',
    ...PATIENT_ENV,
    ...options.env,
  });
  if (isWhole) await createTopics((config as { KAFKA_PREFIX: string }).KAFKA_PREFIX);
  const service = await options.build(config, { logger, metrics: createMetrics() });
  const needed = isWhole
    ? service.components
    : service.components.filter((component) => component.name === 'database');
  const running = await startComponents(needed, logger);
  const database = createDatabase({ url: testDatabase.url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();

  const requests = signedRequests(name);
  const send = (app: 'api' | 'internal', caller: Caller, request: InjectedRequest) =>
    requests.send(service[app], caller, request);

  return {
    config,
    service,
    database,
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
      await testDatabase.drop();
    },
  };
}

import { dirname, join } from 'node:path';
import type { MigrationClass } from '@frontdesk/database';
import { createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import { ensureSecretKeys } from '../../../scripts/start/keys/secret-keys.ts';
import { buildCalls } from '../../../services/calls/src/app.ts';
import { configSchema as callsSchema } from '../../../services/calls/src/config.ts';
import { migrations as callsMigrations } from '../../../services/calls/src/migrations/index.ts';
import { buildCrm } from '../../../services/crm/src/app.ts';
import { configSchema as crmSchema } from '../../../services/crm/src/config.ts';
import { migrations as crmMigrations } from '../../../services/crm/src/migrations/index.ts';
import { buildGateway } from '../../../services/gateway/src/app.ts';
import { configSchema as gatewaySchema } from '../../../services/gateway/src/config.ts';
import { migrations as gatewayMigrations } from '../../../services/gateway/src/migrations/index.ts';
import { buildScheduling } from '../../../services/scheduling/src/app.ts';
import { configSchema as schedulingSchema } from '../../../services/scheduling/src/config.ts';
import { migrations as schedulingMigrations } from '../../../services/scheduling/src/migrations/index.ts';
import { buildSettingsUi } from '../../../services/settings-ui/src/app.ts';
import { configSchema as settingsSchema } from '../../../services/settings-ui/src/config.ts';
import { migrations as settingsMigrations } from '../../../services/settings-ui/src/migrations/index.ts';
import {
  createTestDatabase,
  createTopics,
  engines,
  freePort,
  identityKeys,
  logger,
  patientUrl,
  removeTopics,
} from '../../support/index.ts';
import { PATIENT_ENV, PATIENT_MS, PATIENT_PAGES, PATIENT_REDIS } from '../../support/patient-env.ts';

/** Gateway, scheduling, crm, calls and settings-ui as they run, in this process, on databases and topics of their own. */
export async function startDemoSystem() {
  const keys = identityKeys();
  const prefix = await createTopics();
  const stops: (() => Promise<void>)[] = [];
  const newPorts = async () => {
    const [api, internal] = [await freePort(), await freePort()];
    return { api, internal, apiUrl: `http://127.0.0.1:${api}`, internalUrl: `http://127.0.0.1:${internal}` };
  };
  const ports = {
    gateway: await newPorts(),
    scheduling: await newPorts(),
    crm: await newPorts(),
    calls: await newPorts(),
    'settings-ui': await newPorts(),
  };
  const keysDirectory = dirname(keys.publicKeysFile);
  const secretKeysFile = join(keysDirectory, 'calls.secrets.json');
  await ensureSecretKeys(secretKeysFile);

  const envOf = async (name: keyof typeof ports, migrations: readonly MigrationClass[]) => {
    const database = await createTestDatabase(migrations, name);
    stops.push(database.drop);
    return {
      DATABASE_URL: patientUrl(database.url),
      KAFKA_BROKERS: engines().kafkaBrokers,
      KAFKA_PREFIX: prefix,
      REDIS_URL: engines().redisUrl,
      GATEWAY_INTERNAL_URL: ports.gateway.internalUrl,
      SCHEDULING_INTERNAL_URL: ports.scheduling.internalUrl,
      SCHEDULING_URL: ports.scheduling.apiUrl,
      CRM_URL: ports.crm.apiUrl,
      CALLS_INTERNAL_URL: ports.calls.internalUrl,
      CRM_INTERNAL_URL: ports.crm.internalUrl,
      CALLS_URL: ports.calls.apiUrl,
      SECRET_KEYS_FILE: secretKeysFile,
      // Nothing of a demo asks the webhooks.
      WEBHOOKS_URL: ports.gateway.apiUrl,
      WEBHOOKS_INTERNAL_URL: ports.gateway.internalUrl,
      PUBLIC_URL: 'https://desk.example.com',
      SETTINGS_URL: ports['settings-ui'].apiUrl,
      ...PATIENT_ENV,
      ...PATIENT_REDIS,
      ...PATIENT_PAGES,
      UPSTREAM_TIMEOUT_MS: PATIENT_MS,
      IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
      IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile(name),
      PORT: String(ports[name].api),
      INTERNAL_PORT: String(ports[name].internal),
    };
  };
  const context = () => ({ logger, metrics: createMetrics() });
  const services = [
    await buildGateway(loadConfig(gatewaySchema, await envOf('gateway', gatewayMigrations)), context()),
    await buildCrm(loadConfig(crmSchema, await envOf('crm', crmMigrations)), context()),
    await buildScheduling(
      loadConfig(schedulingSchema, await envOf('scheduling', schedulingMigrations)),
      context(),
    ),
    await buildCalls(loadConfig(callsSchema, await envOf('calls', callsMigrations)), context()),
    await buildSettingsUi(
      loadConfig(settingsSchema, await envOf('settings-ui', settingsMigrations)),
      context(),
    ),
  ];
  for (const { components } of services) {
    const running = await startComponents(components, logger);
    stops.push(() => running.stop());
  }

  return {
    gatewayUrl: ports.gateway.apiUrl,
    keysDirectory,
    urls: {
      gateway: ports.gateway.apiUrl,
      gatewayInternal: ports.gateway.internalUrl,
      schedulingApi: ports.scheduling.apiUrl,
      schedulingInternal: ports.scheduling.internalUrl,
      crmApi: ports.crm.apiUrl,
      callsInternal: ports.calls.internalUrl,
      settingsUiInternal: ports['settings-ui'].internalUrl,
    },
    async stop() {
      for (const stop of stops.reverse()) await stop();
      await removeTopics(prefix);
    },
  };
}

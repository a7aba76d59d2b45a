import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Audience } from '@frontdesk/contracts';
import { createMetrics, loadConfig } from '@frontdesk/service';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { buildCalls } from '../../../services/calls/src/app.ts';
import { configSchema as callsConfig } from '../../../services/calls/src/config.ts';
import { buildCrm } from '../../../services/crm/src/app.ts';
import { configSchema as crmConfig } from '../../../services/crm/src/config.ts';
import { buildGateway } from '../../../services/gateway/src/app.ts';
import { configSchema as gatewayConfig } from '../../../services/gateway/src/config.ts';
import { buildScheduling } from '../../../services/scheduling/src/app.ts';
import { configSchema as schedulingConfig } from '../../../services/scheduling/src/config.ts';
import { buildSettingsUi } from '../../../services/settings-ui/src/app.ts';
import { configSchema as settingsConfig } from '../../../services/settings-ui/src/config.ts';
import { buildWebhooks } from '../../../services/webhooks/src/app.ts';
import { configSchema as webhooksConfig } from '../../../services/webhooks/src/config.ts';
import { identityKeys, logger } from '../../support/index.ts';

/** Nothing is started: the services are only put together. */
const NOBODY = 'http://127.0.0.1:1';

const envOf = (name: Audience, secretKeysFile: string) => ({
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  KAFKA_BROKERS: '127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  PORT: '0',
  INTERNAL_PORT: '0',
  ...Object.fromEntries(
    ['GATEWAY', 'SCHEDULING', 'CRM', 'CALLS', 'WEBHOOKS'].flatMap((other) => [
      [`${other}_INTERNAL_URL`, NOBODY],
      [`${other}_URL`, NOBODY],
    ]),
  ),
  PUBLIC_URL: NOBODY,
  SETTINGS_URL: NOBODY,
  SECRET_KEYS_FILE: secretKeysFile,
  IDENTITY_PUBLIC_KEYS_FILE: identityKeys().publicKeysFile,
  ...(name !== 'webhooks' && { IDENTITY_PRIVATE_KEY_FILE: identityKeys().privateKeyFile(name) }),
});

interface Built {
  api: { ready(): unknown };
  internal: { ready(): unknown };
}

/** Puts a service together. @returns every route that it registers, on both of its ports */
async function routesOf(build: () => Promise<Built>): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  const { api, internal } = await build();
  await api.ready();
  await internal.ready();
  unsubscribe('fastify.initialization', watch);
  return routes;
}

/** Every route of every service, by its service. */
export async function routesByService(): Promise<Record<Audience, RouteOptions[]>> {
  const directory = await mkdtemp(join(tmpdir(), 'routes-'));
  const file = join(directory, 'secrets.json');
  const key = Buffer.alloc(32).toString('base64');
  await writeFile(file, JSON.stringify({ keys: [{ id: 'k1', key }] }));
  const context = () => ({ logger, metrics: createMetrics() });
  const routes = {
    gateway: await routesOf(() => buildGateway(loadConfig(gatewayConfig, envOf('gateway', file)), context())),
    scheduling: await routesOf(() =>
      buildScheduling(loadConfig(schedulingConfig, envOf('scheduling', file)), context()),
    ),
    crm: await routesOf(() => buildCrm(loadConfig(crmConfig, envOf('crm', file)), context())),
    calls: await routesOf(() => buildCalls(loadConfig(callsConfig, envOf('calls', file)), context())),
    webhooks: await routesOf(() =>
      buildWebhooks(loadConfig(webhooksConfig, envOf('webhooks', file)), context()),
    ),
    'settings-ui': await routesOf(() =>
      buildSettingsUi(loadConfig(settingsConfig, envOf('settings-ui', file)), context()),
    ),
  };
  await rm(directory, { recursive: true });
  return routes;
}

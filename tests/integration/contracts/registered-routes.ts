import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createMetrics, loadConfig } from '@frontdesk/service';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { configSchema as callsConfig } from '../../../services/calls/src/config.ts';
import { buildCalls } from '../../../services/calls/src/service.ts';
import { configSchema as crmConfig } from '../../../services/crm/src/config.ts';
import { buildCrm } from '../../../services/crm/src/service.ts';
import { configSchema as schedulingConfig } from '../../../services/scheduling/src/config.ts';
import { buildScheduling } from '../../../services/scheduling/src/service.ts';
import { configSchema as webhooksConfig } from '../../../services/webhooks/src/config.ts';
import { buildWebhooks } from '../../../services/webhooks/src/service.ts';
import { identityKeys, logger } from '../../support/index.ts';

/** Nothing is started: the services are only put together. */
const NOBODY = 'http://127.0.0.1:1';

const envOf = (name: Issuer, secretKeysFile: string) => ({
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  KAFKA_BROKERS: '127.0.0.1:1',
  PORT: '0',
  INTERNAL_PORT: '0',
  GATEWAY_INTERNAL_URL: NOBODY,
  CRM_INTERNAL_URL: NOBODY,
  SCHEDULING_INTERNAL_URL: NOBODY,
  PUBLIC_URL: NOBODY,
  SECRET_KEYS_FILE: secretKeysFile,
  IDENTITY_PUBLIC_KEYS_FILE: identityKeys().publicKeysFile,
  IDENTITY_PRIVATE_KEY_FILE: identityKeys().privateKeyFile(name),
});

/** Every route of API v1 that the services register, as they do. */
export async function registeredRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  const directory = await mkdtemp(join(tmpdir(), 'routes-'));
  const secretKeysFile = join(directory, 'secrets.json');
  const key = Buffer.alloc(32).toString('base64');
  await writeFile(secretKeysFile, JSON.stringify({ keys: [{ id: 'k1', key }] }));
  const context = () => ({ logger, metrics: createMetrics() });

  subscribe('fastify.initialization', watch);
  const services = [
    await buildScheduling(loadConfig(schedulingConfig, envOf('scheduling', secretKeysFile)), context()),
    await buildCrm(loadConfig(crmConfig, envOf('crm', secretKeysFile)), context()),
    await buildCalls(loadConfig(callsConfig, envOf('calls', secretKeysFile)), context()),
    await buildWebhooks(loadConfig(webhooksConfig, envOf('webhooks', secretKeysFile)), context()),
  ];
  for (const { api } of services) await api.ready();
  unsubscribe('fastify.initialization', watch);
  await rm(directory, { recursive: true });
  return routes.filter(({ url, method }) => url.startsWith('/api/v1/') && method !== 'HEAD');
}

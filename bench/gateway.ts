import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { Pool } from 'undici';
import { migrations } from '../services/gateway/src/migrations/index.ts';
import { startService } from '../tests/support/service-process.ts';
import { addCallers, callsWith } from './gateway/callers.ts';
import { measureCompression } from './gateway/compression.ts';
import { type GatewayOfKeys, measureCpu, measureNarrowKeys, type Pair } from './gateway/cpu.ts';
import { type BenchEnvironment, startEnvironment } from './support/environment.ts';

/**
 * What the gateway adds to a proxied request (key, both limits, identity, hygiene), Redis included, in units of a bare
 * @fastify/http-proxy before the same backend, in turns, three processes of each, by tenants of whom each stays within
 * its plan; what narrow keys add to that; and what it costs to compress an answer. On Linux, as it reads /proc; on engines of its own. A few minutes.
 *
 *   npm run bench:gateway [-- cpu keys compression]
 */
const PARTS = ['cpu', 'keys', 'compression'];
const CONNECTIONS = 64;
const PROCESSES = 3;
/** So that each sends less than its plan allows in a minute. */
const TENANTS = 1_000;

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !PARTS.includes(name));
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${PARTS.join(', ')}.`);
const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);

async function measure(environment: BenchEnvironment, resources: AsyncDisposableStack): Promise<void> {
  const start = async (entry: string, env: Record<string, string>) => {
    const service = await startService(entry, env);
    resources.defer(async () => void (await service.stop()));
    const pool = new Pool(service.url, { connections: CONNECTIONS });
    resources.defer(() => pool.close());
    return { service, pool };
  };
  const redisPid = environment.enginePids().get('Redis');
  if (redisPid === undefined) throw new Error('It takes engines of its own: unset REDIS_URL and its like.');
  const backend = await start('bench/gateway/backend.ts', {});
  const startGateway = () =>
    start('services/gateway/src/main.ts', gatewayEnv(environment, backend.service.url));
  if (isChosen('cpu')) {
    const keys = await addCallers(environment, TENANTS);
    const startPair = async (): Promise<Pair> => {
      const gateway = await startGateway();
      const bare = await start('bench/gateway/bare-proxy.ts', { UPSTREAM_URL: backend.service.url });
      const sideOf = ({ service, pool }: typeof bare) => ({ call: callsWith(pool, keys), process: service });
      return { gateway: sideOf(gateway), bare: sideOf(bare) };
    };
    const pairs: Pair[] = [];
    while (pairs.length < PROCESSES) pairs.push(await startPair());
    for (const inFlight of [64, 8]) await measureCpu(pairs, inFlight, redisPid);
  }
  if (isChosen('keys')) {
    const plain = await addCallers(environment, TENANTS);
    const narrow = await addCallers(environment, TENANTS, { areNarrow: true });
    const gateways: GatewayOfKeys[] = [];
    while (gateways.length < PROCESSES) {
      const { pool, service } = await startGateway();
      gateways.push({ process: service, plain: callsWith(pool, plain), narrow: callsWith(pool, narrow) });
    }
    await measureNarrowKeys(gateways, CONNECTIONS);
  }
  if (isChosen('compression'))
    await measureCompression(await startGateway(), await addCallers(environment, TENANTS));
}

const gatewayEnv = (environment: BenchEnvironment, backendUrl: string): Record<string, string> => ({
  DATABASE_URL: environment.databaseUrl,
  REDIS_URL: environment.redisUrl,
  KAFKA_BROKERS: environment.kafkaBrokers,
  KAFKA_PREFIX: environment.kafkaPrefix,
  IDENTITY_PUBLIC_KEYS_FILE: environment.keys.publicKeys,
  IDENTITY_PRIVATE_KEY_FILE: environment.keys.privateKey('gateway'),
  // On a busy machine the shared count may come late, and it is what is measured.
  RATE_LIMIT_TIMEOUT_MS: '1000',
  SCHEDULING_URL: backendUrl,
  CRM_URL: backendUrl,
  CALLS_URL: backendUrl,
  WEBHOOKS_URL: backendUrl,
  CALLS_INTERNAL_URL: backendUrl,
});

const environment = await startEnvironment('gateway');
const resources = new AsyncDisposableStack();
try {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await migrate({ url: environment.databaseUrl, migrations, logger });
  await measure(environment, resources);
} finally {
  await resources.disposeAsync();
  await environment.stop();
}

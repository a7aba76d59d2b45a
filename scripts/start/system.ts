import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engines, requireFreePort, startEngines } from '@frontdesk/local-stack';
import { createLogger, type Logger } from '@frontdesk/service';
import { withPassword } from '../migrate/connect-as-administrator.ts';
import { DATABASE_OWNERS, type DatabaseUrls, localDatabaseUrls } from '../migrate/databases.ts';
import { migrateAll } from '../migrate/migrate-all.ts';
import { PASSWORD_OF_EARLIER_RELEASES } from '../migrate/postgres-passwords.ts';
import { prepareKafka } from '../migrate/prepare-kafka.ts';
import { REPOSITORY } from '../repository.ts';
import { seedDemo } from '../seed/index.ts';
import {
  administratorPassword,
  type EnginePasswordFiles,
  ensureEnginePasswords,
  usersOf,
} from './engines/engine-passwords.ts';
import { reachGivenRedis, withGivenEngine } from './engines/given-engine.ts';
import { KAFKA_ADMINISTRATOR, kafkaPasswords } from './engines/kafka-user-files.ts';
import { ensureKafkaUsers, kafkaLogin } from './engines/kafka-users.ts';
import { redisUsersFile } from './engines/redis-rights.ts';
import { ensureIdentityKeys, keyFilesIn } from './keys/identity-keys.ts';
import { ensureSecretKeys, SECRET_OWNERS } from './keys/secret-keys.ts';
import { ensureCompileCache } from './processes/compile-cache.ts';
import { watchLogs } from './processes/log-watch.ts';
import { systemPorts } from './processes/ports.ts';
import { type SystemUrls, serviceCatalog, systemUrls } from './processes/service-catalog.ts';
import { type RunningService, startServices } from './processes/services.ts';
import { type Demo, readDemo, writeDemo } from './progress/demo-file.ts';
import type { Progress } from './progress/progress.ts';

export interface StartOptions {
  /** Where keys, data and logs live: `.local` of the clone. */
  directory: string;
  portBase: number;
  /** DATABASE_URL, REDIS_URL and KAFKA_BROKERS name engines to use instead of own ones; tunables reach the services. */
  env: NodeJS.ProcessEnv;
  /** Fill an empty system with the demo businesses, once. */
  seed: boolean;
  /** false trades the data's safety in a power cut for speed: for tests. */
  durable?: boolean;
  progress: Progress;
  /** Aborted: give up starting, and stop what has been started. */
  signal?: AbortSignal;
  /** Aborted: a stop under way shall be over at once. */
  hasten?: AbortSignal;
}

export interface RunningSystem {
  urls: SystemUrls;
  engines: Pick<Engines, 'databaseUrl' | 'redisUrl'>;
  keysDirectory: string;
  demo: Demo | undefined;
  services: readonly RunningService[];
  /** Services in reverse order, then the engines. The data stays. */
  stop(): Promise<void>;
}

const never = new AbortController().signal;

/** The whole system on this machine. When it can't be had, whatever was started is stopped again and the cause thrown. */
export async function startSystem(options: StartOptions): Promise<RunningSystem> {
  const started = new AsyncDisposableStack();
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal ?? never]);
  const stop = async () => {
    stopping.abort(); // no restarts from here on, while the processes stop one after another
    await started.disposeAsync();
  };
  try {
    return { ...(await bringUp({ ...options, signal }, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(
  options: StartOptions & { signal: AbortSignal },
  started: AsyncDisposableStack,
): Promise<Omit<RunningSystem, 'stop'>> {
  const { directory, env, progress, signal, hasten = never } = options;
  const ports = systemPorts(options.portBase);
  const urls = systemUrls(ports);
  const keysDirectory = join(directory, 'keys');
  const demoFile = join(directory, 'demo.json');
  const earlierDemo = options.seed ? await readDemo(demoFile) : undefined;

  // The engines' ports are checked once those that a killed start left behind have ended.
  const { postgres: _p, redis: _r, kafka: _k, kafkaController: _c, kafkaLocal: _l, ...servicePorts } = ports;
  await Promise.all(Object.entries(servicePorts).map(([name, port]) => requireFreePort(port, name)));
  await mkdir(directory, { recursive: true });
  const keyFiles = keyFilesIn(keysDirectory);
  await ensureIdentityKeys(keyFiles);
  await Promise.all(SECRET_OWNERS.map((owner) => ensureSecretKeys(keyFiles.secretKeys(owner))));
  await ensureEnginePasswords(keyFiles);
  const postgresPassword = await administratorPassword('postgres', keyFiles);
  const userPasswords = await kafkaPasswords(keyFiles);

  const compileCache = join(REPOSITORY, '.local', 'compile-cache');
  const compiled = ensureCompileCache({
    directory: compileCache,
    repository: REPOSITORY,
    services: DATABASE_OWNERS,
    signal,
  });
  // Awaited once the engines are ours to stop.
  compiled.catch(() => {});
  const engines = await progress.step('PostgreSQL, Redis, Kafka', async (detail) =>
    startEngines({
      directory: join(directory, 'data'),
      cacheDirectory: join(REPOSITORY, '.local'),
      postgresPassword,
      kafkaUsers: { passwords: userPasswords },
      redisUsers: {
        aclFile: await redisUsersFile(keyFiles),
        administratorPassword: await administratorPassword('redis', keyFiles),
      },
      durable: options.durable ?? true,
      ports,
      env,
      signal,
      onProgress: detail,
      restart: true,
      onNotice: progress.note,
    }),
  );
  started.defer(() => engines.stop());
  await compiled;
  await reachGivenRedis(env);
  signal.throwIfAborted();

  const logger = createLogger({ name: 'migrate', level: 'silent' });
  await progress.step('databases', (detail) =>
    withGivenEngine(env, 'DATABASE_URL', () =>
      migrateAll({
        adminUrl: engines.databaseUrl,
        // A PostgreSQL that is not ours has its operator's password.
        earlierPasswords: env.DATABASE_URL ? [] : [PASSWORD_OF_EARLIER_RELEASES],
        urls: migrationUrls(engines.databaseUrl, keyFiles),
        onLock: (owner, name, what) => detail(`${owner}: ${name} ${what}`),
        onMigrated: (owner) => detail(`${owner} is up to date`),
        logger,
      }),
    ),
  );
  await progress.step('topics', () =>
    withGivenEngine(env, 'KAFKA_BROKERS', () => prepareLocalKafka(engines, userPasswords, logger)),
  );
  signal.throwIfAborted();

  const services = await progress.step('services', (detail) =>
    startServices({
      catalog: serviceCatalog({ ports, engines, keysDirectory, compileCache, env }),
      logsDirectory: join(directory, 'logs'),
      onNotice: progress.note,
      onReady: (name) => detail(`${name} is ready`),
      started,
      signal,
      hasten,
    }),
  );
  const watch = watchLogs(
    services.map(({ logFile }) => logFile),
    progress.note,
  );
  started.defer(() => watch.stop());

  const demo = await ensureDemo({ ...options, urls, keysDirectory, demoFile, earlierDemo });
  signal.throwIfAborted();
  return { urls, engines, keysDirectory, demo, services };
}

function migrationUrls(adminUrl: string, files: EnginePasswordFiles): DatabaseUrls {
  const urls = localDatabaseUrls(adminUrl);
  const users = usersOf('postgres', files);
  return Object.fromEntries(
    users.map(({ service, passwords: [current] }) => [service, withPassword(urls[service], current)]),
  ) as DatabaseUrls;
}

async function prepareLocalKafka(
  { kafkaBrokers, setKafkaUser }: Engines,
  passwords: Record<string, string>,
  logger: Logger,
): Promise<void> {
  const brokers = kafkaBrokers.split(',');
  if (!setKafkaUser) return prepareKafka({ access: { brokers }, logger });
  await ensureKafkaUsers({ engines: { kafkaBrokers, setKafkaUser }, passwords, logger });
  const login = kafkaLogin(KAFKA_ADMINISTRATOR, passwords[KAFKA_ADMINISTRATOR] ?? '');
  await prepareKafka({ access: { brokers, login }, logger });
}

/** Seeds an empty system, leaves a seeded one as it is, and writes `demo.json`: the ports may have moved. */
async function ensureDemo(
  options: StartOptions &
    Pick<RunningSystem, 'urls' | 'keysDirectory'> & { demoFile: string; earlierDemo: Demo | undefined },
): Promise<Demo | undefined> {
  if (!options.seed) return undefined;
  const { urls, keysDirectory, progress, earlierDemo } = options;
  const previous = earlierDemo?.tenants ?? [];
  const tenants = await progress.step('demo businesses', (detail) =>
    seedDemo({ urls, keysDirectory, previous, onProgress: detail }),
  );
  const demo = { gateway_url: urls.gateway, settings_url: urls.settingsUi, tenants };
  await writeDemo(options.demoFile, demo);
  return demo;
}

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, identify, removeEngineData, startEngines } from '@frontdesk/local-stack';
import { createIdentityKeys } from '@frontdesk/service';
import { ensureSecretKeys } from '../../scripts/start/keys/secret-keys.ts';
import { makeBarePaths } from './bare-path.ts';
import { offerSharedSystem } from './shared-system.ts';
import { testRun } from './test-run.ts';

const RUN_PREFIX = 'test-';

/** Once for a run: engines, unless TEST_DATABASE_URL, TEST_REDIS_URL and TEST_KAFKA_BROKERS name some, and identity keys. */
export default async function setUp(): Promise<void> {
  await removeDeadRuns();
  const directory = join('.local', `${RUN_PREFIX}${process.pid}`);
  await mkdir(directory, { recursive: true });
  testRun.directory = directory;
  await writeIdentityKeys(directory);
  await makeBarePaths(directory);
  const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
  const engines = await startEngines({
    directory,
    ports: { postgres, redis, kafka, kafkaController },
    env: givenEngines(),
    durable: false,
    onProgress: (line) => process.stderr.write(`${line}\n`),
    onNotice: (text) => process.stderr.write(`${text}\n`),
  }).catch(async (error: unknown) => {
    await removeEngineData(directory);
    throw error;
  });
  testRun.engines = engines;
  testRun.databaseOutlivesRun = process.env.TEST_DATABASE_URL !== undefined;
  testRun.sharedSystem = await offerSharedSystem();
  process.env.TEST_SHARED_SYSTEM = testRun.sharedSystem.url;
  process.env.TEST_RUN_ID = randomUUID().slice(0, 8);
  process.env.TEST_DATABASE_URL = engines.databaseUrl;
  process.env.TEST_REDIS_URL = engines.redisUrl;
  process.env.TEST_KAFKA_BROKERS = engines.kafkaBrokers;
}

/** Only what is meant for tests: a developer's own DATABASE_URL must not become a playground. */
function givenEngines(): NodeJS.ProcessEnv {
  const { TEST_DATABASE_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS } = process.env;
  return {
    ...process.env,
    DATABASE_URL: TEST_DATABASE_URL,
    REDIS_URL: TEST_REDIS_URL,
    KAFKA_BROKERS: TEST_KAFKA_BROKERS,
  };
}

/** A run that was killed could not clear up after itself. */
async function removeDeadRuns(): Promise<void> {
  await mkdir('.local', { recursive: true });
  for (const name of await readdir('.local')) {
    const pid = name.startsWith(RUN_PREFIX) ? Number(name.slice(RUN_PREFIX.length)) : process.pid;
    if (pid !== process.pid && !identify(pid)) await removeEngineData(join('.local', name));
  }
}

async function writeIdentityKeys(directory: string): Promise<void> {
  const { privateKeys, publicKeys } = await createIdentityKeys();
  const folder = join(process.cwd(), directory, 'keys');
  await mkdir(folder);
  await writeFile(join(folder, 'public.json'), JSON.stringify(publicKeys));
  await Promise.all(
    Object.entries(privateKeys).map(([issuer, key]) =>
      writeFile(join(folder, `${issuer}.json`), JSON.stringify(key), { mode: 0o600 }),
    ),
  );
  await ensureSecretKeys(join(folder, 'secrets.json'));
  process.env.TEST_IDENTITY_KEYS = folder;
}

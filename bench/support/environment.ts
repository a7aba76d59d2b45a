import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createKafkaClient, ensureTopics } from '@frontdesk/events';
import { freePorts, removeEngineData, startEngines } from '@frontdesk/local-stack';
import { createIdentitySigner, createLogger, type IdentitySigner } from '@frontdesk/service';
import { Client } from 'pg';
import { ensureIdentityKeys, keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';

interface BenchDatabase {
  databaseUrl: string;
  /** Runs the work on a connection to it. */
  withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
}

/** The first database is the benchmark's own. */
export interface BenchEnvironment extends BenchDatabase {
  /** Where it keeps its files. */
  directory: string;
  kafkaBrokers: string;
  /** Of the benchmark's topics, which are there. */
  kafkaPrefix: string;
  redisUrl: string;
  keys: ReturnType<typeof keyFilesIn>;
  signer(issuer: Issuer): Promise<IdentitySigner>;
  /** One more, empty, where a second service takes part. */
  addDatabase(): Promise<BenchDatabase>;
  /** Engine → its first process; empty for engines that somebody else runs. */
  enginePids(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/**
 * Engines, keys and an empty database of the benchmark's own, in a directory that is gone afterwards.
 * @param options.durable whether PostgreSQL waits for the disk, as latencies that are to be believed need it
 * @param options.signal gives up the start
 */
export async function startEnvironment(
  name: string,
  options: { durable?: boolean; signal?: AbortSignal } = {},
): Promise<BenchEnvironment> {
  const directory = join('.local', `bench-${name}-${process.pid}`);
  const keys = keyFilesIn(join(process.cwd(), directory, 'keys'));
  await ensureIdentityKeys(keys);
  const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
  const engines = await startEngines({
    directory,
    ports: { postgres, redis, kafka, kafkaController },
    env: process.env,
    durable: options.durable ?? false,
    ...(options.signal && { signal: options.signal }),
    onProgress: (line) => console.error(line),
    onNotice: (text) => console.error(text),
  });
  const kafkaPrefix = `bench-${process.pid}.`;
  await ensureTopics({
    kafka: createKafkaClient({
      brokers: engines.kafkaBrokers.split(','),
      prefix: kafkaPrefix,
      clientId: 'bench',
      logger: createLogger({ name: 'bench', level: 'error' }),
    }),
  });
  const connected = async <Result>(to: string, work: (client: Client) => Promise<Result>) => {
    const client = new Client({ connectionString: to });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const databases: string[] = [];
  const addDatabase = async (): Promise<BenchDatabase> => {
    const database = `bench_${name}_${process.pid}_${databases.length}`;
    await connected(engines.databaseUrl, (client) => client.query(`create database ${database}`));
    databases.push(database);
    const databaseUrl = Object.assign(new URL(engines.databaseUrl), { pathname: `/${database}` }).toString();
    return { databaseUrl, withClient: (work) => connected(databaseUrl, work) };
  };

  return {
    ...(await addDatabase()),
    directory,
    kafkaBrokers: engines.kafkaBrokers,
    kafkaPrefix,
    redisUrl: engines.redisUrl,
    keys,
    signer: (issuer) => createIdentitySigner({ issuer, privateKeyFile: keys.privateKey(issuer) }),
    addDatabase,
    enginePids: () => enginePidsIn(directory),
    async stop() {
      for (const database of databases)
        await connected(engines.databaseUrl, (client) =>
          client.query(`drop database ${database} with (force)`),
        );
      await engines.stop();
      await removeEngineData(directory);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * What scheduling or crm reads from its environment beside its ports. Its database was filled with all that it needs of others, so it
 * asks nobody.
 */
export function serviceEnv(
  { databaseUrl, kafkaBrokers, kafkaPrefix, keys }: BenchEnvironment,
  service: 'scheduling' | 'crm',
): Record<string, string> {
  const nobody = 'http://127.0.0.1:9';
  return {
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: kafkaBrokers,
    KAFKA_PREFIX: kafkaPrefix,
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeys,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKey(service),
    GATEWAY_INTERNAL_URL: nobody,
    SCHEDULING_INTERNAL_URL: nobody,
    CRM_INTERNAL_URL: nobody,
  };
}

/** Engine → its first process, from the local stack's own note of what it has started in the directory. */
export function enginePidsIn(directory: string): ReadonlyMap<string, number> {
  const { processes } = JSON.parse(readFileSync(join(directory, 'engines.json'), 'utf8')) as {
    processes: { name: string; pid: number }[];
  };
  return new Map(processes.map(({ name, pid }) => [name, pid]));
}

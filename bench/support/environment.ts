import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { freePorts, removeEngineData, startEngines } from '@frontdesk/local-stack';
import { createIdentitySigner, type IdentitySigner } from '@frontdesk/service';
import { Client } from 'pg';
import { ensureIdentityKeys, type KeyFiles, keyFilesIn } from '../../scripts/start/identity-keys.ts';

export interface BenchEnvironment {
  databaseUrl: string;
  kafkaBrokers: string;
  keys: KeyFiles;
  signer(issuer: Issuer): Promise<IdentitySigner>;
  /** Runs the work on a connection to the benchmark's database. */
  withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Engines, keys and an empty database of the benchmark's own, in a directory that is gone afterwards. */
export async function startEnvironment(name: string): Promise<BenchEnvironment> {
  const directory = join('.local', `bench-${name}-${process.pid}`);
  const keys = keyFilesIn(join(process.cwd(), directory, 'keys'));
  await ensureIdentityKeys(keys);
  const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
  const engines = await startEngines({
    directory,
    ports: { postgres, redis, kafka, kafkaController },
    env: process.env,
    durable: false,
    onProgress: (line) => console.error(line),
    onFailure: (error) => console.error(error.message),
  });
  const url = new URL(engines.databaseUrl);
  url.pathname = `/bench_${name}_${process.pid}`;

  const connected = async <Result>(to: string, work: (client: Client) => Promise<Result>) => {
    const client = new Client({ connectionString: to });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const database = url.pathname.slice(1);
  await connected(engines.databaseUrl, (client) => client.query(`create database ${database}`));

  return {
    databaseUrl: url.toString(),
    kafkaBrokers: engines.kafkaBrokers,
    keys,
    signer: (issuer) => createIdentitySigner({ issuer, privateKeyFile: keys.privateKey(issuer) }),
    withClient: (work) => connected(url.toString(), work),
    async stop() {
      await connected(engines.databaseUrl, (client) =>
        client.query(`drop database ${database} with (force)`),
      );
      await engines.stop();
      await removeEngineData(directory);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

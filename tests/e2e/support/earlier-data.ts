import { join } from 'node:path';
import { startEngines } from '@frontdesk/local-stack';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { administratorPassword } from '../../../scripts/start/engines/engine-passwords.ts';
import { keyFilesIn } from '../../../scripts/start/keys/identity-keys.ts';
import { systemPorts } from '../../../scripts/start/processes/ports.ts';

const SESSION = 'settings:session:kept';

/** What a release left that trusted its network: well-known passwords in PostgreSQL, none in Redis. */
export async function leaveEarlierData(directory: string, portBase: number): Promise<void> {
  const { PATH, JAVA_HOME } = process.env;
  const engines = await startEngines({
    directory: join(directory, 'data'),
    ports: systemPorts(portBase),
    env: { PATH, JAVA_HOME },
  });
  const redis = new Redis(engines.redisUrl);
  try {
    const { databaseUrl } = engines;
    await query(databaseUrl, `CREATE ROLE frontdesk_crm LOGIN PASSWORD 'frontdesk_crm'`);
    await query(databaseUrl, 'CREATE DATABASE frontdesk_crm OWNER frontdesk_crm');
    await query(inCrm(databaseUrl), `CREATE TABLE kept AS SELECT 'Kim' AS name`);
    await redis.set(SESSION, 'sealed');
  } finally {
    redis.disconnect();
    await engines.stop();
  }
}

/** What is found of it after a start by this release, with the passwords of this release's administrators. */
export async function findEarlierData(directory: string, portBase: number) {
  const files = keyFilesIn(join(directory, 'keys'));
  const { postgres, redis: redisPort } = systemPorts(portBase);
  const redis = new Redis(redisPort, '127.0.0.1', {
    username: 'admin',
    password: await administratorPassword('redis', files),
  });
  const url = (user: string, password: string) =>
    `postgres://${user}:${password}@127.0.0.1:${postgres}/postgres`;
  try {
    return {
      customers: await query(
        inCrm(url('postgres', await administratorPassword('postgres', files))),
        'SELECT name FROM kept',
      ),
      session: await redis.get(SESSION),
      administrator: await query(url('postgres', 'postgres'), 'SELECT 1').catch(
        (error: Error) => error.message,
      ),
      service: await query(inCrm(url('frontdesk_crm', 'frontdesk_crm')), 'SELECT 1').catch(
        (error: Error) => error.message,
      ),
      anybody: await anybodyOf(redisPort),
    };
  } finally {
    redis.disconnect();
  }
}

async function anybodyOf(redisPort: number): Promise<string> {
  const redis = new Redis(redisPort, '127.0.0.1', { enableReadyCheck: false, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    return await redis.get(SESSION).then(String, (error: Error) => error.message);
  } finally {
    redis.disconnect();
  }
}

const inCrm = (url: string) => Object.assign(new URL(url), { pathname: '/frontdesk_crm' }).href;

async function query(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

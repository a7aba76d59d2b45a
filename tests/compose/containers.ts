import { type CommandResult, runCommand } from '../e2e/support/command.ts';

/** Of the system under test: `npm run test:all -- compose` sets it. */
export const PROJECT = process.env.COMPOSE_PROJECT_NAME ?? '';
const TOOLS_IMAGE = process.env.FRONTDESK_TOOLS_IMAGE ?? 'frontdesk-tools';

/** `docker …` to its end. */
export const docker = (...words: string[]): Promise<CommandResult> => runCommand(['docker', ...words]);

/** `docker compose …` of the system under test. @throws Error where it fails */
export async function compose(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await docker('compose', ...words);
  if (code !== 0) throw new Error(`docker compose ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** kafkajs sets timers to times that are over. */
const NODE = ['node', '--disable-warning=TimeoutNegativeWarning', '--input-type=module', '-e'];

/** What a module prints that runs in a new container of this network, which has no keys. */
export async function runInNetwork(network: string, module: string): Promise<string> {
  const words = ['run', '--rm', '--network', `${PROJECT}_${network}`, TOOLS_IMAGE];
  const { stdout, stderr } = await docker(...words, ...NODE, module);
  return `${stdout}${stderr}`.trim();
}

/** What a module prints that runs in the container of a service, with all that the service has. */
export async function runInService(service: string, module: string): Promise<string> {
  const words = ['compose', 'exec', '-T', '-w', '/app', service];
  const { stdout, stderr } = await docker(...words, ...NODE, module);
  return `${stdout}${stderr}`.trim();
}

/** Modules that try one thing with an engine and print what came of it: the answer, or the error's message. */
export const attempts = {
  postgres: (settings: object, statement = 'select 1 as answer') => `
    import { readFileSync } from 'node:fs';
    import pg from 'pg';
    const own = process.env.ENGINE_PASSWORDS_FILE;
    const password = own && JSON.parse(readFileSync(own)).postgres;
    const client = new pg.Client({ host: 'postgres', password, connectionTimeoutMillis: 20_000, ...${JSON.stringify(settings)} });
    try {
      await client.connect();
      const { rows } = await client.query(${JSON.stringify(statement)});
      console.log(JSON.stringify(rows));
    } catch (error) {
      console.log(error.message);
    }
    await client.end().catch(() => {});`,
  redis: (settings: object, command: string[]) => `
    import { readFileSync } from 'node:fs';
    import { Redis } from 'ioredis';
    const own = process.env.ENGINE_PASSWORDS_FILE;
    const password = own && JSON.parse(readFileSync(own)).redis;
    const redis = new Redis({ host: 'redis', password, enableReadyCheck: false, retryStrategy: null, ...${JSON.stringify(settings)} });
    redis.on('error', () => {});
    try {
      console.log(JSON.stringify(await redis.call(...${JSON.stringify(command)})));
    } catch (error) {
      console.log(error.message);
    }
    redis.disconnect();`,
  /** Without a user nobody is told who asks. It prints `done` where Kafka lets it be done. */
  kafka: (login: { username?: string; password?: string }, work: { write: string } | { group: string }) => `
    import { readFileSync } from 'node:fs';
    import kafkajs from 'kafkajs';
    const own = process.env.ENGINE_PASSWORDS_FILE;
    const login = { password: own && JSON.parse(readFileSync(own)).kafka, ...${JSON.stringify(login)} };
    const work = ${JSON.stringify(work)};
    const kafka = new kafkajs.Kafka({
      brokers: ['kafka:9092'],
      logLevel: kafkajs.logLevel.NOTHING,
      retry: { retries: 1 },
      ...(login.username && { sasl: { mechanism: 'scram-sha-512', ...login } }),
    });
    const client = work.write ? kafka.producer({ allowAutoTopicCreation: false }) : kafka.admin();
    try {
      await client.connect();
      if (work.write) await client.send({ topic: work.write, messages: [{ key: '1:1', value: null }] });
      else await client.fetchOffsets({ groupId: work.group });
      console.log('done');
    } catch (error) {
      console.log(error.message);
    }
    await client.disconnect();`,
};

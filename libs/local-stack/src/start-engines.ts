import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { claimDirectory } from './claim.ts';
import { startKafka } from './kafka.ts';
import { kafkaLocalPort } from './kafka-settings.ts';
import { requireFreePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { hasPostgresBinaries } from './postgres-home.ts';
import { startRedis } from './redis.ts';
import { missingForKafka, missingForRedis } from './requirements.js';
import type { Engine, Engines, LocalStart, StartEnginesOptions } from './types.ts';

interface EngineKind {
  name: string;
  /** The variable that names one that runs already. */
  variable: string;
  ports: number[];
  /** Why it can't run as a local process, and how to mend that: a sentence for each thing missing. */
  obstacles: () => string[];
  startProcess: (start: LocalStart) => Promise<Engine>;
  startContainer: (start: LocalStart) => Promise<Engine>;
}

/**
 * Starts PostgreSQL, Redis and Kafka, each from the first of: the URL given in `env`; a local process; a container.
 * Throws an error that names the fault and its cure; whatever had started by then is stopped.
 */
export async function startEngines(options: StartEnginesOptions): Promise<Engines> {
  const env = options.env ?? process.env;
  const directory = resolve(options.directory);
  const cacheDirectory = resolve(options.cacheDirectory ?? '.local');
  mkdirSync(directory, { recursive: true });
  const progress = options.onProgress ?? (() => {});
  const claim = await claimDirectory(directory, progress);

  const over = new AbortController();
  const start: LocalStart = {
    directory,
    cacheDirectory,
    ports: options.ports,
    redisUsers: options.redisUsers,
    postgresPassword: options.postgresPassword ?? 'postgres',
    kafkaUsers: options.kafkaUsers,
    durable: options.durable ?? true,
    env,
    restart: options.restart ?? false,
    signal: options.signal ? AbortSignal.any([options.signal, over.signal]) : over.signal,
    progress,
    notice: options.onNotice ?? (() => {}),
    record: claim.record,
  };
  const started: Engine[] = [];
  const [databaseUrl = '', redisUrl = '', kafkaBrokers = ''] = await Promise.all(
    engineKinds(start).map(async (kind) => {
      try {
        const engine = await startOne(kind, start);
        started.push(engine);
        return engine.address;
      } catch (error) {
        over.abort(error); // makes the others give up; theirs is then not the reason
        return '';
      }
    }),
  );
  const stop = async () => {
    // No restarts from here on, while the engines stop one after another.
    over.abort();
    for (const engine of started.toReversed()) await engine.stop().catch(() => {});
    claim.release();
  };
  if (over.signal.aborted) {
    await stop();
    throw over.signal.reason;
  }
  const setKafkaUser = started.find(({ setUser }) => setUser)?.setUser ?? null;
  return { databaseUrl, redisUrl, kafkaBrokers, setKafkaUser, stop };
}

async function startOne(kind: EngineKind, start: LocalStart): Promise<Engine> {
  const given = start.env[kind.variable];
  if (given) return { address: given, stop: async () => {} };
  const engine = await startHere(kind, start);
  start.progress(`${kind.name} is up`);
  return engine;
}

async function startHere(kind: EngineKind, start: LocalStart): Promise<Engine> {
  for (const port of kind.ports) await requireFreePort(port, kind.name);
  if (start.env.TEST_ENGINES === 'containers') return kind.startContainer(start);
  const obstacles = kind.obstacles();
  if (obstacles.length === 0) return kind.startProcess(start);
  // Loaded only here: its many packages would double the time of a start that needs no container.
  const { hasContainers } = await import('./containers.ts');
  if (await hasContainers()) return kind.startContainer(start);
  throw new Error(obstacles.join('\n'));
}

function engineKinds({ ports, kafkaUsers, env, cacheDirectory }: LocalStart): EngineKind[] {
  const containers = () => import('./containers.ts');
  return [
    {
      name: 'PostgreSQL',
      variable: 'DATABASE_URL',
      ports: [ports.postgres],
      obstacles: () =>
        hasPostgresBinaries()
          ? []
          : [`There is no PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL.`],
      startProcess: startPostgres,
      startContainer: async (start) => (await containers()).startPostgresContainer(start),
    },
    {
      name: 'Redis',
      variable: 'REDIS_URL',
      ports: [ports.redis],
      obstacles: () => missingForRedis(env).map(({ sentence }) => sentence),
      startProcess: startRedis,
      startContainer: async (start) => (await containers()).startRedisContainer(start),
    },
    {
      name: 'Kafka',
      variable: 'KAFKA_BROKERS',
      ports: [ports.kafka, ports.kafkaController, ...(kafkaUsers ? [kafkaLocalPort(ports)] : [])],
      obstacles: () => missingForKafka(env, cacheDirectory).map(({ sentence }) => sentence),
      startProcess: startKafka,
      startContainer: async (start) => (await containers()).startKafkaContainer(start),
    },
  ];
}

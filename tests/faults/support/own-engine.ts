import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  freePorts,
  identify,
  isRunning,
  type ProcessIdentity,
  removeEngineData,
  startEngines,
} from '@frontdesk/local-stack';
import { allProcesses } from '../../support/all-processes.ts';
import { engines, eventually } from '../../support/index.ts';

export interface OwnEngine {
  /** As the services know it. */
  address: string;
  /** SIGKILL to it and to everything that it has started; returns once all of that is gone. */
  kill(): Promise<void>;
  /** Again on the same data and at the same address. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** One durable engine of the test's own, to be killed and started again; the other engines stay the run's. */
export async function startOwnEngine(kind: 'postgres' | 'kafka'): Promise<OwnEngine> {
  const directory = join('.local', `faults-${kind}-${process.pid}`);
  const [postgres = 0, kafka = 0, kafkaController = 0] = await freePorts(3);
  const { databaseUrl, redisUrl, kafkaBrokers } = engines();
  const given = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, KAFKA_BROKERS: kafkaBrokers };
  const own = kind === 'postgres' ? { DATABASE_URL: undefined } : { KAFKA_BROKERS: undefined };
  const launch = () =>
    startEngines({
      directory,
      ports: { postgres, redis: 0, kafka, kafkaController },
      env: { ...process.env, ...given, ...own },
      durable: true,
    });
  let running = await launch().catch(async (error: unknown) => {
    await removeEngineData(directory);
    throw error;
  });

  return {
    address: kind === 'postgres' ? running.databaseUrl : running.kafkaBrokers,
    async kill() {
      const file = JSON.parse(await readFile(join(directory, 'engines.json'), 'utf8'));
      const victims = (file as { processes: ProcessIdentity[] }).processes.flatMap(withChildren);
      for (const { pid } of victims) kill(pid);
      await eventually(() => expect(victims.filter(isRunning)).toEqual([]));
      await running.stop();
    },
    async start() {
      running = await launch();
    },
    async remove() {
      await running.stop();
      await removeEngineData(directory);
    },
  };
}

function withChildren(parent: ProcessIdentity): ProcessIdentity[] {
  const children = allProcesses()
    .filter((one) => one.parent === parent.pid)
    .map(({ pid }) => identify(pid));
  return [parent, ...children.filter((child) => child !== null)];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // A child that ended by itself when its parent was killed.
  }
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startEngines } from '@frontdesk/local-stack';
import { Client } from 'pg';
import { silentProgress } from '../../scripts/start/progress/progress.ts';
import { type RunningSystem, startSystem } from '../../scripts/start/system.ts';
import { enginePidsIn } from '../support/environment.ts';

export interface MeasuredSystem extends RunningSystem {
  /** Service or engine → its first process. */
  pids: ReadonlyMap<string, number>;
}

/** The whole system as `npm start` brings it up, empty, on a disk that it waits for, and with PostgreSQL's count of statements. */
export async function startMeasuredSystem(
  portBase: number,
  signal: AbortSignal,
  resources: AsyncDisposableStack,
  given: NodeJS.ProcessEnv = {},
): Promise<MeasuredSystem> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'));
  await chmod(directory, 0o755); // PostgreSQL runs as a user of its own
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  await countStatements(join(directory, 'data'), signal);
  const { PATH, JAVA_HOME } = process.env;
  const system = await startSystem({
    directory,
    portBase,
    env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn', INGEST_RATE_PER_MINUTE: '100000', ...given },
    seed: false,
    progress: silentProgress,
    signal,
  });
  resources.defer(system.stop);
  const services = system.services.map(({ name, pid }): [string, number] => [name, pid() ?? 0]);
  return { ...system, pids: new Map([...services, ...enginePidsIn(join(directory, 'data'))]) };
}

/** The extension counts from a start of PostgreSQL on: this is the start before. */
async function countStatements(directory: string, signal: AbortSignal): Promise<void> {
  const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
  const ports = { postgres, redis, kafka, kafkaController };
  const engines = await startEngines({ directory, ports, env: { PATH: process.env.PATH }, signal });
  try {
    const client = new Client({ connectionString: engines.databaseUrl });
    await client.connect();
    await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    await client.query('alter system set pg_stat_statements.track_planning = on');
    await client.query('create extension pg_stat_statements');
    await client.end();
  } finally {
    await engines.stop();
  }
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePorts } from '@frontdesk/local-stack';
import { systemPorts } from '../../../scripts/start/processes/ports.ts';
import { silentProgress } from '../../../scripts/start/progress/progress.ts';
import { type RunningSystem, startSystem } from '../../../scripts/start/system.ts';
import { PATIENT_ENV, PATIENT_MS } from '../../support/patient-env.ts';

/** A client that repeats while a service is away sends more than a provider would. */
const INGEST_RATE_PER_MINUTE = '100000';
const FIRST_BASE = 10_000;
const BASES = 100;
const MOST_TRIES = 1_000;

/** A PORT_BASE all of whose ports are free, and are reserved while this process lives. */
export async function freePortBase(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const base = FIRST_BASE + 100 * Math.floor(Math.random() * BASES);
    if (await reservePorts(Object.values(systemPorts(base)))) return base;
  }
  throw new Error('There are no free ports for a system.');
}

/** An empty directory for one system; PostgreSQL's own user must be able to reach into it. */
export async function stateDirectory(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-e2e-'));
  await chmod(directory, 0o755);
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) };
}

export interface LocalSystem extends RunningSystem {
  directory: string;
  portBase: number;
}

/** The real system, every service a process of its own, over engines of its own; empty. `own` is what its services read besides. */
export async function startLocalSystem(own: NodeJS.ProcessEnv = {}): Promise<LocalSystem> {
  const { directory, remove } = await stateDirectory();
  const portBase = await freePortBase();
  const { PATH, JAVA_HOME } = process.env;
  const system = await startSystem({
    directory,
    portBase,
    env: {
      PATH,
      JAVA_HOME,
      LOG_LEVEL: 'warn',
      RETRY_DELAYS_SECONDS: '1,2',
      INGEST_RATE_PER_MINUTE,
      ...PATIENT_ENV,
      UPSTREAM_TIMEOUT_MS: PATIENT_MS,
      LINK_WAIT_MS: PATIENT_MS,
      DELIVERY_TIMEOUT_MS: PATIENT_MS,
      LEASE_SESSION_TIMEOUT_MS: PATIENT_MS,
      ...own,
    },
    seed: false,
    durable: false,
    progress: silentProgress,
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    ...system,
    directory,
    portBase,
    async stop() {
      await system.stop();
      await remove();
    },
  };
}

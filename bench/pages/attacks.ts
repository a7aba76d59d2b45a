import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { silentProgress } from '../../scripts/start/progress/progress.ts';
import { startSystem } from '../../scripts/start/system.ts';
import { startHelper } from '../support/helper-process.ts';
import { quantile, sendAtRate } from '../support/load.ts';
import type { AttackerQuestion } from './attacker.ts';
import { type Session, signIn } from './session.ts';

const ROUNDS = 3;
const SESSIONS = 4;
/** Below the limits of the sessions and of their business. */
const [PER_SECOND, REQUESTS] = [12, 120];
const TARGET = 3;
const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url));
const PAGES = ['/settings/customers', '/settings/calendar', '/settings/account'];

/** The p99 of a business's pages, alone and while one admin of another business does what would harm all. */
export async function measurePages(portBase: number): Promise<void> {
  const resources = new AsyncDisposableStack();
  try {
    await measureAttacks(portBase, resources);
  } finally {
    await resources.disposeAsync();
  }
}

async function measureAttacks(portBase: number, resources: AsyncDisposableStack): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'));
  await chmod(directory, 0o755); // PostgreSQL runs as a user of its own
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const { PATH, JAVA_HOME } = process.env;
  const system = await startSystem({
    directory,
    portBase,
    seed: true,
    progress: silentProgress,
    env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn' },
  });
  resources.defer(system.stop);
  const [attacker, neighbour] = system.demo?.tenants ?? [];
  if (!attacker || !neighbour) throw new Error('There are no demo businesses.');
  const helper = await startHelper<AttackerQuestion>(ATTACKER);
  resources.defer(helper.stop);
  const { settingsUi } = system.urls;
  const attacks = await helper.ask<string[]>({
    kind: 'signIn',
    settingsUi,
    admin: attacker.admin,
    sourceId: attacker.call_source.id,
  });
  const pool = new Pool(settingsUi, { connections: 16 });
  resources.defer(() => pool.destroy());
  const sessions: Session[] = [];
  for (let n = 0; n < SESSIONS; n += 1) sessions.push(await signIn(pool, neighbour.admin));
  const p99 = async () => {
    const latencies = await sendAtRate(PER_SECOND, REQUESTS, async (n) => {
      const { status } = await (sessions[n % SESSIONS] as Session).page(PAGES[n % PAGES.length] ?? '');
      if (status !== 200) throw new Error(`a page of the neighbour: ${status}`);
    });
    return quantile(latencies, 0.99);
  };
  await p99();
  for (const attack of attacks) {
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await p99());
      await helper.ask({ kind: 'begin', attack });
      beside.push(await p99());
      const answers = await helper.ask<string>({ kind: 'end' });
      console.log(
        `${attack}: p99 alone ${alone.at(-1)?.toFixed(0)} ms, beside ${beside.at(-1)?.toFixed(0)} ms; it got ${answers}`,
      );
    }
    const [own99, beside99] = [alone, beside].map((all) =>
      quantile(
        all.toSorted((a, b) => a - b),
        0.5,
      ),
    ) as [number, number];
    console.log(
      `p99 of pages beside ${attack}: ${beside99.toFixed(0)} ms, alone ${own99.toFixed(0)} ms, ` +
        `${(beside99 / own99).toFixed(1)} times its own (target ${TARGET})`,
    );
  }
}

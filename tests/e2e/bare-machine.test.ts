import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandPath } from '../../scripts/bootstrap/commands.js';
import type { Demo } from '../../scripts/start/progress/demo-file.ts';
import { startPath, terminalPath } from '../support/bare-path.ts';
import { withExamples } from '../support/documented-commands.ts';
import { eventually, freePort } from '../support/index.ts';
import { tokensOf } from '../support/markdown.ts';
import { PATIENT_ENV, PATIENT_MS } from '../support/patient-env.ts';
import { apiClient } from './support/api.ts';
import { runCommand } from './support/command.ts';
import { freePortBase, stateDirectory } from './support/local-system.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PATIENCE = { timeoutMs: 300_000 };

/** The commands of the tour, in their order. */
function tour(): string {
  const blocks = tokensOf('docs/tour.md').filter(({ type }) => type === 'code') as { text: string }[];
  expect(blocks.length).toBeGreaterThan(4);
  return blocks.map(({ text }) => `${text}\n`).join('');
}

describe('a machine that has only what the README asks for', () => {
  let state: Awaited<ReturnType<typeof stateDirectory>>;
  let home: string;
  let start: ChildProcess | undefined;

  beforeAll(async () => {
    state = await stateDirectory();
    home = await mkdtemp(join(tmpdir(), 'frontdesk-home-'));
  });
  afterAll(async () => {
    await stop(start);
    await state.remove();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  });

  it('has all that Maven’s own script runs', async () => {
    const env = { PATH: startPath(), HOME: home };
    // Not every machine has Maven: it is needed until Kafka has been fetched.
    const mvn = commandPath('mvn', env);
    if (!mvn) return;
    const { code, stdout, stderr } = await runCommand([mvn, '--version'], { env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('not found')]);
    expect(stdout).toMatch(/Apache Maven/);
  });

  it(
    'starts the system, and the tour runs as it stands, also a second time',
    async () => {
      const [portBase, receiverPort] = await Promise.all([freePortBase(), freePort()]);
      start = spawn(join(startPath(), 'npm'), ['start', '--', '--directory', state.directory], {
        cwd: ROOT,
        env: {
          PATH: startPath(),
          HOME: home,
          PORT_BASE: String(portBase),
          ...PATIENT_ENV,
          UPSTREAM_TIMEOUT_MS: PATIENT_MS,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      // It runs without curl too, and says who needs it.
      expect(await untilUp(start)).toContain('curl, which the commands of the guides use, is missing');
      const demo = JSON.parse(await readFile(join(state.directory, 'demo.json'), 'utf8')) as Demo;
      const api = apiClient(demo.gateway_url, demo.tenants[1]?.api_key ?? '');
      const cancelled = async () => {
        const { body } = await api('GET', '/appointments?status=cancelled&per_page=1');
        return (body as unknown as { meta: { total: number } }).meta.total;
      };
      const before = await cancelled();

      const commands = withExamples(tour(), {
        './.local/demo.json': join(state.directory, 'demo.json'),
        '4999': String(receiverPort),
      });
      const sh = join(terminalPath(), 'sh');
      const env = { PATH: terminalPath(), HOME: home, SYSTEM_DIRECTORY: state.directory };
      for (const time of [1, 2]) {
        const { code, stdout, stderr } = await runCommand([sh, '-euc', commands], { env, cwd: ROOT });
        expect([time, code, stderr]).toEqual([time, 0, '']);
        // Anywhere in a line: what other commands print ends without one.
        expect(stdout.match(/sha256=[0-9a-f]{64} fits/g)).toHaveLength(2);
        expect(stdout).not.toContain('DOES NOT FIT');
        // In either order, as the second follows at once here.
        for (const event of ['appointment.created', 'appointment.cancelled'])
          expect(stdout).toContain(`"event":"${event}"`);
        expect(stdout).toContain('"status":"open"');
        expect(stdout).toContain('"total_appointments":');
        expect(stdout).toContain('"event":"call.ended"');
        expect(await cancelled()).toBe(before + time);
      }
    },
    3 * PATIENCE.timeoutMs,
  );
});

/** @returns all that the start has said @throws Error with it where the start ends instead */
async function untilUp(child: ChildProcess): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await eventually(async () => {
    if (child.exitCode === null && !output.includes('Ctrl-C; the data stays'))
      throw new Error(`not up yet: ${output}`);
  }, PATIENCE);
  if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output}`);
  return output;
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

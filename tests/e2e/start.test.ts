import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Appointment, Customer, WebhookPayload } from '@frontdesk/contracts';
import { isRunning, type ProcessIdentity, requireFreePort } from '@frontdesk/local-stack';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import { untilReady } from '../../scripts/start/processes/readiness.ts';
import { systemUrls } from '../../scripts/start/processes/service-catalog.ts';
import type { Demo } from '../../scripts/start/progress/demo-file.ts';
import { eventually, startReceiver } from '../support/index.ts';
import { PATIENT_ENV, PATIENT_MS, PATIENT_PAGES } from '../support/patient-env.ts';
import { apiClient } from './support/api.ts';
import { createCustomer } from './support/business.ts';
import { runCommand } from './support/command.ts';
import { findEarlierData, leaveEarlierData } from './support/earlier-data.ts';
import { freePortBase, stateDirectory } from './support/local-system.ts';
import { ADMIN, operatorBy } from './support/operator.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const START = join(SCRIPTS, 'start.ts');
const REPLAY = join(SCRIPTS, 'calls-replay.ts');
/** A wait here ends what never comes: where all is slow, a start takes minutes. */
const PATIENCE = { timeoutMs: 300_000 };

describe('npm start', () => {
  let state: Awaited<ReturnType<typeof stateDirectory>>;
  let portBase: number;
  let running: ChildProcess | undefined;
  /** All that the start under way has said. */
  let output: string;
  let words: string[];
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    state = await stateDirectory();
    portBase = await freePortBase();
    words = [process.execPath, START, '--directory', state.directory];
    const patient = { ...PATIENT_ENV, ...PATIENT_PAGES, UPSTREAM_TIMEOUT_MS: PATIENT_MS };
    env = { PATH: process.env.PATH, PORT_BASE: String(portBase), ...patient };
  });

  afterAll(async () => {
    if (running) await stop(running);
    await state.remove();
  });

  const readDemo = async () => JSON.parse(await readFile(join(state.directory, 'demo.json'), 'utf8')) as Demo;

  async function start(): Promise<void> {
    const [command = '', ...args] = words;
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running = child;
    output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    await eventually(async () => {
      if (child.exitCode === null && !output.includes('Ctrl-C; the data stays'))
        throw new Error(`not up yet: ${output}`);
    }, PATIENCE);
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output}`);
  }

  const engineProcesses = async () => {
    const file = await readFile(join(state.directory, 'data', 'engines.json'), 'utf8');
    return (JSON.parse(file) as { processes: (ProcessIdentity & { name: string })[] }).processes;
  };
  const signalEngine = async (name: string, signal: NodeJS.Signals) => {
    const engine = (await engineProcesses()).find((one) => one.name === name);
    process.kill(engine?.pid ?? 0, signal);
  };

  it(
    'takes over data of a release that trusted its network, brings up a demo that can be used, and runs once only',
    async () => {
      await leaveEarlierData(state.directory, portBase);
      await start();
      expect(await findEarlierData(state.directory, portBase)).toEqual({
        customers: [{ name: 'Kim' }],
        session: 'sealed',
        administrator: 'password authentication failed for user "postgres"',
        service: 'password authentication failed for user "frontdesk_crm"',
        anybody: expect.stringContaining('NOAUTH'),
      });
      const demo = await readDemo();
      const [tenant] = demo.tenants;
      if (!tenant) throw new Error('no demo tenant');
      expect(demo.tenants.map(({ plan }) => plan).sort()).toEqual(['enterprise', 'pro', 'starter']);
      expect(output).toContain(demo.gateway_url);
      for (const { api_key } of demo.tenants) expect(output).toContain(api_key);
      expect(output).toContain(demo.settings_url);
      for (const { admin } of demo.tenants) {
        expect(output).toContain(`${admin.email}  `);
        await eventually(async () => expect(await signIn(demo.settings_url, admin)).toBe(200), PATIENCE);
      }
      const [, call = ''] = /npm run -s calls:replay -- (.+)/.exec(output) ?? [];
      const sources = demo.tenants.map(({ call_source }) => call_source.ingest_url);
      expect(sources).toContain(call.split(' ')[1]);
      const replayed = await runCommand([process.execPath, REPLAY, ...call.split(' ')], { env });
      expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('\n202 ') });

      const booking = await sendAsPrinted(output);
      expect(booking.status).toBe(201);

      const second = await runCommand(words, { env });
      expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('running here already')]);

      const api = apiClient(demo.gateway_url, tenant.api_key);
      const customer = await createCustomer(api, 'Kim Later', '+49 30 901899');
      await stop(running);
      await expectNothingListening(portBase);

      await start();
      expect(await readDemo()).toEqual(demo);
      const found = await api<Customer>('GET', `/customers/${customer.id}`);
      expect(found.data().name).toBe('Kim Later');
    },
    4 * PATIENCE.timeoutMs,
  );

  it(
    'brings engines back that are killed: requests are limited and events arrive again',
    async () => {
      const receiver = await startReceiver();
      try {
        const { gateway_url, tenants } = await readDemo();
        const [, key = ''] = /Authorization: Bearer (\S+)'/.exec(output) ?? [];
        const tenant = tenants.find(({ api_key }) => api_key === key);
        // The operator's command line gets only the directory, as the start prints it.
        const [, directory] = /SYSTEM_DIRECTORY='(.+)' npm run/.exec(output) ?? [];
        expect(directory).toBe(state.directory);
        const operator = operatorBy(ADMIN, { PATH: process.env.PATH, SYSTEM_DIRECTORY: directory });
        await operator.json(
          `webhook create --tenant ${tenant?.id} --url ${receiver.url} --events appointment.created`.split(
            ' ',
          ),
        );

        for (const name of ['Redis', 'Kafka']) await signalEngine(name, 'SIGKILL');
        for (const name of ['Redis', 'Kafka'])
          await eventually(() => {
            expect(output).toContain(`${name} is gone (SIGKILL); starting it again in 0.5 s`);
            expect(output).toContain(`${name} is back.`);
          }, PATIENCE);

        const booked = await sendAsPrinted(output);
        expect(booked.status).toBe(201);
        const { data } = (await booked.json()) as { data: Appointment };
        await eventually(() => {
          const payloads = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody) as WebhookPayload);
          expect(payloads.map((payload) => payload.data)).toContainEqual(data);
        }, PATIENCE);
        const api = apiClient(gateway_url, key);
        await eventually(async () => {
          const { status, headers } = await api('GET', '/services');
          expect([status, headers.get('x-ratelimit-scope')]).toEqual([200, null]);
        }, PATIENCE);
        const { signal } = new AbortController();
        for (const [name, internalUrl] of Object.entries(systemUrls(systemPorts(portBase))))
          if (name.endsWith('Internal')) await untilReady({ name, internalUrl, signal, ...PATIENCE });
        expect(running?.exitCode).toBeNull();
      } finally {
        await receiver.close();
      }
    },
    2 * PATIENCE.timeoutMs,
  );

  it(
    'ends an engine that has outlived a killed start, and takes its port again',
    async () => {
      const { redis: _held, ...others } = systemPorts(portBase);
      await signalEngine('Redis', 'SIGSTOP');
      running?.kill('SIGKILL');
      await eventually(() => expectFree(others), PATIENCE);
      await start();
      expect(output).toContain('Stopping the Redis that an earlier run left behind');
    },
    2 * PATIENCE.timeoutMs,
  );

  it(
    'takes everything along when it is killed itself',
    async () => {
      const engines = await engineProcesses();
      running?.kill('SIGKILL');
      await eventually(() => expectNothingListening(portBase), PATIENCE);
      // Until then they write in the directory that is to be removed.
      await eventually(() => expect(engines.filter(isRunning)).toEqual([]), PATIENCE);
    },
    PATIENCE.timeoutMs,
  );

  it('names the port that something else holds, before anything starts', async () => {
    const { createServer } = await import('node:http');
    const holder = createServer().listen(portBase + 10, '127.0.0.1');
    await once(holder, 'listening');
    const { code, stderr } = await runCommand(words, { env });
    holder.close();

    expect(code).toBe(1);
    expect(stderr).toContain(String(portBase + 10));
    expect(stderr).toContain('PORT_BASE');
  });

  it('names a damaged demo.json and its cure, before anything starts', async () => {
    const file = join(state.directory, 'demo.json');
    await writeFile(file, '{"tenants": [');
    const { code, stdout, stderr } = await runCommand(words, { env });
    await rm(file);

    expect(code).toBe(1);
    expect(stdout).not.toContain('PostgreSQL');
    expect(stderr).toContain(`${file} is damaged: delete it.`);
  });
});

async function signIn(settingsUrl: string, admin: { email: string; password: string }): Promise<number> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify(admin);
  return (await fetch(`${settingsUrl}/settings/sign-in`, { method: 'POST', headers, body })).status;
}

/** Sends what the printed curl command would send, without needing a curl on this machine. */
async function sendAsPrinted(output: string): Promise<Response> {
  const [, method = '', url = ''] = /curl -X (\S+) (\S+)/.exec(output) ?? [];
  const [, body = ''] = /-d '(.*)'/.exec(output) ?? [];
  const headers = [...output.matchAll(/-H '(.*?): (.*)'/g)].map(([, name = '', value = '']) => [name, value]);
  return fetch(url, { method, headers: Object.fromEntries(headers) as Record<string, string>, body });
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}

const expectNothingListening = (portBase: number) => expectFree(systemPorts(portBase));

async function expectFree(ports: Record<string, number>): Promise<void> {
  for (const [name, port] of Object.entries(ports)) await requireFreePort(port, name);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINT_SCOPES } from '@frontdesk/contracts';
import { REPOSITORY } from '../../scripts/repository.ts';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import { untilReady } from '../../scripts/start/processes/readiness.ts';
import { serviceCatalog } from '../../scripts/start/processes/service-catalog.ts';
import { silentProgress } from '../../scripts/start/progress/progress.ts';
import { type RunningSystem, startSystem } from '../../scripts/start/system.ts';
import { type Api, apiClient } from '../e2e/support/api.ts';
import { freePortBase, stateDirectory } from '../e2e/support/local-system.ts';
import { ADMIN, operatorBy } from '../e2e/support/operator.ts';
import { freePort } from '../support/ports.ts';
import { RELEASED_ADMIN, release, withRelease } from './earlier-release.ts';

/** Three starts of a system, one with demo businesses, on a busy machine. */
const STARTS_MS = 1_200_000;
const READY_MS = 180_000;
const DAYS_TO_LOOK = 14;
/** Nobody is there. */
const ENDPOINT = 'http://127.0.0.1:9999/hook';

const { PATH, JAVA_HOME } = process.env;

interface Found {
  id: number;
  date: string;
  time: string;
  staff_id: number | null;
}

/** By operation: the status, and the fields of its record, or of the first one of its list. */
type Answers = Record<string, { status: number; fields: string[] }>;

/** Asks for all operations of 0.1.0 in the course of a program's work. */
async function useAll(api: Api): Promise<Answers> {
  const answers: Answers = {};
  const ask = async (operation: string, id: number | '', body?: object, query = ''): Promise<Found> => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await api<Found | Found[]>(
      method,
      path.replace('{id}', String(id)) + query,
      body ? { body } : {},
    );
    const data = [answer.body.success ? answer.body.data : []].flat()[0] ?? ({} as Found);
    answers[operation] = { status: answer.status, fields: Object.keys(data).toSorted() };
    return data;
  };
  const first = async (noun: string) => {
    const found = await ask(`GET /${noun}`, '');
    await ask(`GET /${noun}/{id}`, found.id);
    return found.id;
  };
  const [customer_id, service_id] = [await first('customers'), await first('services')];
  for (const noun of ['staff', 'calls', 'appointments']) await first(noun);

  const today = Temporal.Now.plainDateISO('UTC');
  let slot = {} as Found;
  for (let days = 2; slot.date === undefined && days <= DAYS_TO_LOOK; days += 1)
    slot = await ask(
      'GET /appointments/slots',
      '',
      undefined,
      `?date=${today.add({ days })}&service_id=${service_id}`,
    );
  const { date: appointment_date, time: appointment_time, staff_id } = slot;
  const wish = { customer_id, service_id, staff_id, appointment_date, appointment_time };
  const { id } = await ask('POST /appointments', '', wish);
  await ask('PATCH /appointments/{id}', id, { notes: 'Comes by bike' });
  await ask('PATCH /appointments/{id}/status', id, { status: 'completed' });
  await ask('DELETE /appointments/{id}', id);

  const phone = `+4930${String(Date.now()).slice(-9)}`;
  const customer = await ask('POST /customers', '', { name: 'Mia Wong', phone });
  await ask('PATCH /customers/{id}', customer.id, { segment: 'vip' });
  return answers;
}

/** A gateway of that release beside a running system, on ports of its own, while `work` is under way. */
async function withGateway(
  root: string,
  env: Record<string, string>,
  work: (urls: { url: string; internalUrl: string }) => Promise<void>,
): Promise<void> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['services/gateway/src/main.ts'], {
    cwd: root,
    env: { ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  const over = new AbortController();
  child.once('close', () => over.abort(new Error(`The gateway of ${root} has ended.`)));
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  try {
    await untilReady({ name: 'gateway', internalUrl, timeoutMs: READY_MS, signal: over.signal });
    await work({ url: `http://127.0.0.1:${port}`, internalUrl });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

describe('gateways and services of both releases', () => {
  let state: Awaited<ReturnType<typeof stateDirectory>>;
  let portBase: number;
  beforeAll(async () => {
    state = await stateDirectory();
    portBase = await freePortBase();
  });
  afterAll(() => state.remove());

  const startThisRelease = () =>
    startSystem({
      directory: state.directory,
      portBase,
      env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn' },
      seed: false,
      durable: false,
      progress: silentProgress,
    });

  /** What a gateway of either release reads, over the engines and services of the system at these ports. */
  const gatewayEnv = ({ engines, keysDirectory }: RunningSystem) => {
    const ports = systemPorts(portBase);
    const catalog = serviceCatalog({
      ports,
      engines: { ...engines, kafkaBrokers: `127.0.0.1:${ports.kafka}`, setKafkaUser: async () => {} },
      keysDirectory,
      compileCache: join(state.directory, 'compile-cache'),
      env: { PATH, LOG_LEVEL: 'warn' },
    });
    return catalog.find(({ name }) => name === 'gateway')?.env ?? {};
  };

  const operator = (command: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    operatorBy(command, {
      PATH,
      PORT_BASE: String(portBase),
      OPERATOR_KEY_FILE: join(state.directory, 'keys', 'operator.json'),
      ...more,
    });
  const newKey = (internalUrl: string, tenant: number) =>
    operator(RELEASED_ADMIN, { GATEWAY_INTERNAL_URL: internalUrl }).json<{ key: string }>([
      ...['key', 'create', '--tenant', String(tenant), '--name', 'Mixed'],
    ]);

  it(
    'answer all operations of 0.1.0 alike, with keys of before and with those that its processes make',
    async () => {
      const before = await startThisRelease();
      const env = gatewayEnv(before);
      await before.stop();

      let asBefore: Answers = {};
      const business = { tenant: 0, key: '' };
      const expectAsBefore = async (url: string, key: string) => {
        const answers = await useAll(apiClient(url, key));
        for (const [operation, { status, fields }] of Object.entries(asBefore))
          expect([operation, answers[operation]]).toEqual([
            operation,
            { status, fields: expect.arrayContaining(fields) },
          ]);
      };

      await withRelease(state.directory, portBase, async () => {
        const demo = JSON.parse(await readFile(join(state.directory, 'demo.json'), 'utf8'));
        const { id, api_key } = demo.tenants.at(-1);
        Object.assign(business, { tenant: id, key: api_key });
        asBefore = await useAll(apiClient(`http://127.0.0.1:${portBase}`, api_key));
        expect(Object.entries(asBefore).filter(([, { status }]) => status >= 400)).toEqual([]);
        await operator(RELEASED_ADMIN).json([
          ...['webhook', 'create', '--tenant', String(id)],
          ...['--url', ENDPOINT, '--events', 'call.ended'],
        ]);
        // This release's gateway, and services of 0.1.0.
        await withGateway(REPOSITORY, env, async ({ url }) => {
          await expectAsBefore(url, api_key);
          const { key } = await newKey(`http://127.0.0.1:${portBase + 1}`, id);
          await expectAsBefore(url, key);
        });
      });

      const after = await startThisRelease();
      try {
        const { tenant, key } = business;
        // The gateway of 0.1.0, and services of this release.
        await withGateway(release, env, async ({ url, internalUrl }) => {
          await expectAsBefore(url, key);
          const made = await newKey(internalUrl, tenant);
          await expectAsBefore(url, made.key);
          await expectAsBefore(after.urls.gateway, made.key);
          const beyond = await apiClient(after.urls.gateway, made.key)('GET', '/webhooks');
          expect([beyond.status, beyond.body]).toMatchObject([403, { data: { scope: 'webhooks:write' } }]);
        });
        expect(await operator(ADMIN).json(['webhook', 'list', '--tenant', String(tenant)])).toMatchObject([
          { url: ENDPOINT, scopes: ENDPOINT_SCOPES },
        ]);
      } finally {
        await after.stop();
      }
    },
    STARTS_MS,
  );
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createdEndpoint, slotSchema } from '@frontdesk/contracts';
import { createIdentitySigner, serviceClients } from '@frontdesk/service';
import { request } from 'undici';
import { z } from 'zod';
import { freePortBase, stateDirectory } from '../tests/e2e/support/local-system.ts';
import { startReceiver } from '../tests/support/receiver.ts';
import { REPOSITORY } from './repository.ts';
import type { DemoTenant } from './seed/index.ts';
import { silentProgress } from './start/progress/progress.ts';
import { startSystem } from './start/system.ts';

/**
 * `node scripts/request-files.ts [--list]`: through how many of the project's files one request runs. Counted are, over all processes of
 * a system with the demo's businesses, the files with a function that V8 saw called from the request until its last effect.
 */
const ANSWER_MS = 30_000;
const IDLE_MS = 3_000;

const resources = new AsyncDisposableStack();
try {
  await countFiles(await startAll());
} finally {
  await resources.disposeAsync();
}

type World = Awaited<ReturnType<typeof startAll>>;

async function startAll() {
  const { directory, remove } = await stateDirectory();
  resources.defer(remove);
  const reports = await mkdtemp(join(tmpdir(), 'frontdesk-files-'));
  resources.defer(() => rm(reports, { recursive: true }));
  const preload = new URL(pathToFileURL(join(import.meta.dirname, 'request-files/report-files.ts')));
  preload.searchParams.set('into', reports);
  const receiver = await startReceiver();
  resources.defer(receiver.close);
  const { PATH, JAVA_HOME } = process.env;
  const system = await startSystem({
    directory,
    portBase: await freePortBase(),
    env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn', NODE_OPTIONS: `--import=${preload.href}` },
    seed: true,
    durable: false,
    progress: silentProgress,
  });
  resources.defer(system.stop);
  return { system, receiver, reports };
}

async function countFiles(world: World): Promise<void> {
  const [tenant] = world.system.demo?.tenants ?? [];
  if (!tenant) throw new Error('The demo has no business.');
  await tellReceiver(world, tenant.id);
  const booking = () => book(world, tenant);
  const page = () => ask(world, tenant, 'GET', '/customers?per_page=20', z.unknown());
  // The first of each opens connections and fills caches.
  for (const act of [booking, page]) await act();
  await calledFiles(world);
  await wait(IDLE_MS);
  const idle = await calledFiles(world);
  for (const [name, act] of Object.entries({
    'an appointment, booked and delivered': booking,
    'a page of customers': page,
  })) {
    await act();
    const called = await calledFiles(world);
    const own = called.difference(idle);
    console.log(`${name}: ${called.size} files, ${own.size} of them only because of it`);
    if (process.argv.includes('--list'))
      console.log(
        [...own]
          .sort()
          .map((file) => `  ${file}`)
          .join('\n'),
      );
  }
}

async function tellReceiver({ system, receiver }: World, tenantId: number): Promise<void> {
  const signer = await createIdentitySigner({
    issuer: 'operator',
    privateKeyFile: join(system.keysDirectory, 'operator.json'),
  });
  const webhooks = serviceClients({ signer, role: 'operator', timeoutMs: ANSWER_MS })(
    'webhooks',
    system.urls.webhooksInternal,
  );
  const body = { url: `${receiver.url}/hook`, events: ['appointment.created'] };
  const path = `/internal/tenants/${tenantId}/webhooks`;
  await webhooks.request({ method: 'POST', path, body, schema: createdEndpoint });
  await webhooks.stop();
}

async function ask<Answer extends z.ZodType>(
  { system }: World,
  { api_key }: DemoTenant,
  method: 'GET' | 'POST',
  path: string,
  schema: Answer,
  body?: object,
): Promise<z.output<Answer>> {
  const answer = await request(`${system.urls.gateway}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return schema.parse(JSON.parse(text));
}

/** Books the next free time, and waits until the receiver has been told. */
async function book(world: World, tenant: DemoTenant): Promise<void> {
  const [service_id] = tenant.services;
  const [customer_id] = tenant.customers;
  const today = Temporal.Now.plainDateISO(tenant.timezone);
  const range = `date=${today.add({ days: 1 })}&date_to=${today.add({ days: 7 })}`;
  const slots = z.object({ data: z.array(slotSchema) });
  const { data } = await ask(
    world,
    tenant,
    'GET',
    `/appointments/slots?${range}&service_id=${service_id}`,
    slots,
  );
  const [slot] = data;
  if (!slot) throw new Error('No time is free.');
  await calledFiles(world);
  const told = world.receiver.requests.length;
  const appointment = { customer_id, service_id, appointment_date: slot.date, appointment_time: slot.time };
  await ask(world, tenant, 'POST', '/appointments', z.unknown(), appointment);
  const end = Date.now() + ANSWER_MS;
  while (world.receiver.requests.length === told) {
    if (Date.now() > end) throw new Error('The receiver was told nothing.');
    await wait(10);
  }
}

/** The project's files with a function that was called since this was last asked. */
async function calledFiles({ system, reports }: World): Promise<Set<string>> {
  const pids = system.services.map(({ pid }) => pid() ?? 0);
  await Promise.all((await readdir(reports)).map((name) => rm(join(reports, name))));
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  const end = Date.now() + ANSWER_MS;
  const isThere = async () =>
    (await readdir(reports)).filter((name) => name.endsWith('.json')).length === pids.length;
  while (!(await isThere())) {
    if (Date.now() > end) throw new Error('Not every process has said which files ran.');
    await wait(10);
  }
  const urls = await Promise.all(
    pids.map(async (pid) => JSON.parse(await readFile(join(reports, `${pid}.json`), 'utf8'))),
  );
  const files = urls
    .flat()
    .filter((url: string) => url.startsWith('file:') && !url.includes('/node_modules/'));
  return new Set(files.map((url: string) => relative(REPOSITORY, fileURLToPath(url))));
}

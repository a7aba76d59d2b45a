import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Business, createBusiness } from '../../e2e/support/business.ts';
import { runCommand } from '../../e2e/support/command.ts';
import { openTarget, type Target } from '../../e2e/support/target.ts';
import { eventually, freePort, startReceiver } from '../../support/index.ts';
import { createProject, type Project, readmeBlocks, sdk, typeScript5 } from './project.ts';

let project: Project;
let target: Target;
let business: Business;
let apiKey: string;

/** What an integrator writes first, the same for both kinds of modules. */
const FIRST_STEPS = `
const { CLIENT_URL: baseUrl, CLIENT_KEY: apiKey, PHONE: phone } = process.env;
const frontdesk = new Frontdesk({ apiKey, baseUrl });
async function main() {
  const [service] = await frontdesk.services.list();
  const customer = await frontdesk.customers.create({ name: 'Mia Wong', phone });
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const [slot] = await frontdesk.appointments.slots({ date, service_id: service.id });
  const body = { customer_id: customer.id, service_id: service.id, staff_id: slot.staff_id, appointment_date: slot.date, appointment_time: slot.time };
  const booked = await frontdesk.appointments.create(body).withResponse();
  const taken = await frontdesk.appointments.create(body).catch((error) => error);
  const all = [];
  for await (const { id } of frontdesk.appointments.list({ customer_id: customer.id, per_page: 1 })) all.push(id);
  const cancelled = await frontdesk.appointments.cancel(booked.data.id, { ifMatch: booked.etag });
  return { etag: booked.etag, taken: taken instanceof ApiError && taken.code, free: taken.data?.alternatives.length, all: all.length, status: cancelled.status };
}
main().then((result) => console.log(JSON.stringify(result)));
`;

beforeAll(async () => {
  [project, target] = await Promise.all([createProject(), openTarget()]);
  business = await createBusiness(target, 'Salon Client');
  const forTenant = ['--tenant', String(business.tenant.id)];
  ({ key: apiKey } = await target.operator.json<{ key: string }>([
    'key',
    'create',
    ...forTenant,
    '--name',
    'client',
  ]));
});
afterAll(() => project?.remove());

it.each([
  ['ES modules', 'first.mjs', "import { ApiError, Frontdesk } from '@frontdesk/client';", '+49 30 901840'],
  ['CommonJS', 'first.cjs', "const { ApiError, Frontdesk } = require('@frontdesk/client');", '+49 30 901841'],
])('a program of %s books through the gateway with the packed client', async (_kind, file, line, phone) => {
  await project.write(file, line + FIRST_STEPS);
  const env = { PATH: process.env.PATH, CLIENT_URL: target.gatewayUrl, CLIENT_KEY: apiKey, PHONE: phone };
  const { stdout, stderr } = await runCommand([process.execPath, join(project.directory, file)], { env });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    ...{ etag: expect.any(String), taken: 'slot_unavailable', free: expect.any(Number), all: 1 },
    status: 'cancelled',
  });
});

it('TypeScript 5 finds the types for ES modules, CommonJS and bundlers, and every block of the README compiles', async () => {
  const blocks = await readmeBlocks();
  expect(blocks.length).toBeGreaterThan(3);
  await Promise.all(blocks.map((block, index) => project.write(`readme-${index}.mts`, block)));
  await project.write('common.cts', "import { Frontdesk } from '@frontdesk/client';\nvoid Frontdesk;\n");
  const files = [...blocks.map((_block, index) => `readme-${index}.mts`), 'common.cts'];
  const paths = files.map((file) => join(project.directory, file));
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const types = ['--typeRoots', join(project.directory, 'node_modules/@types'), '--types', 'node'];
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    const words = [
      typeScript5,
      ...options,
      ...types,
      '--skipLibCheck',
      '--module',
      module,
      '--moduleResolution',
      resolution,
    ];
    const { stdout } = await runCommand([process.execPath, ...words, ...paths]);
    expect([module, stdout]).toEqual([module, '']);
  }
});

it('the samples accept a real delivery, handle its second attempt no second time, and refuse a changed body', async () => {
  const receiver = await startReceiver({ host: target.receiverListensOn });
  const samples: { process: ChildProcess; url: string; output: () => string }[] = [];
  try {
    const address = `http://${target.receiverHost}:${new URL(receiver.url).port}/hooks`;
    const { secret } = await target.operator.json<{ secret: string }>(
      `webhook create --tenant ${business.tenant.id} --url ${address} --events customer.created`.split(' '),
    );
    for (const name of ['express', 'fastify']) {
      const file = join(project.directory, `${name}.ts`);
      await copyFile(join(sdk, `typescript/samples/${name}/receiver.ts`), file);
      samples.push(await startSample(process.execPath, [file], secret));
    }
    const forward = (url: string, headers: object, body: string) =>
      fetch(url, { method: 'POST', headers: signedPart(headers), body }).then(({ status }) => status);
    const statuses: number[] = [];
    receiver.respondWith(async ({ headers, rawBody }) => {
      for (const { url } of samples) statuses.push(await forward(url, headers, rawBody));
      // The first attempt fails, so that the event comes again.
      return { status: receiver.requests.length === 1 ? 500 : 200 };
    });
    for (const { url } of samples) await eventually(() => fetch(url));

    await business.api('POST', '/customers', { body: { name: 'Noor Haddad', phone: '+49 30 901842' } });
    await eventually(() => expect(statuses).toEqual([204, 204, 204, 204]));
    const [first] = receiver.requests;
    if (!first) throw new Error('no webhook yet');
    const { headers, rawBody } = first;
    for (const { url, output } of samples) {
      expect(await forward(url, headers, rawBody.replace('Noor', 'Nora'))).toBe(400);
      await eventually(() => expect(output()).toContain(String(headers['webhook-id'])));
      expect(output().split(String(headers['webhook-id']))).toHaveLength(2);
    }
  } finally {
    await Promise.all(samples.map(({ process: child }) => stop(child)));
    await receiver.close();
  }
});

/** What the signature covers; the rest is of the connection. */
const signedPart = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(webhook-|x-service-|content-type$)/.test(name)),
  ) as Record<string, string>;

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function startSample(command: string, args: string[], secret: string) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), FRONTDESK_WEBHOOK_SECRET: secret };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return { process: child, url: `http://127.0.0.1:${port}/webhooks`, output: () => output };
}

import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPages } from '@frontdesk/reference';
import { type Business, bookingOf, createCustomer, freeSlots } from '../../e2e/support/business.ts';
import { createCallSource, endedCall, type MadeSource, sendCall } from '../../e2e/support/calls.ts';
import { runCommand } from '../../e2e/support/command.ts';
import { openTarget, type Target } from '../../e2e/support/target.ts';
import { eventually, startReceiver } from '../../support/index.ts';
import { createClientBusiness } from './client-business.ts';
import { PATIENT, runTimeFolder } from './command-line.ts';
import { startInShell } from './run-in-terminal.ts';

/** `phone-agent.test.ts` runs that guide. */
const GUIDES = createPages().filter(({ section, path }) => section === 'Guides' && path !== 'phone-agent');
/** Other tests run the receivers. */
const isRun = (language: string, label: string) =>
  /^(sh|js)$/.test(language) && !label.startsWith('the receiver ');

let target: Target;
let business: Business;
let apiKey: string;
let directory: string;
/** By guide and label. */
const samples = new Map<string, string>();
const run = new Set<string>();

function sample(guide: string, label: string): string {
  const text = samples.get(`${guide}: ${label}`);
  if (text === undefined) throw new Error(`${guide} has no sample "${label}".`);
  run.add(`${guide}: ${label}`);
  return text;
}

beforeAll(async () => {
  target = await openTarget();
  directory = await mkdtemp(join(tmpdir(), 'frontdesk-guides-'));
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(directory, 'node_modules'));
  ({ business, apiKey } = await createClientBusiness(target));
  for (const { path } of GUIDES) {
    const text = await (await fetch(`${target.gatewayUrl}/docs/${path}.md`)).text();
    for (const [, language = '', label = '', code = ''] of text.matchAll(
      /```(\w+) ([^\n]*)\n([\s\S]*?)\n```/g,
    ))
      if (isRun(language, label)) samples.set(`${path}: ${label}`, code);
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A terminal in which the commands have been typed so far. */
const terminal = (...commands: string[]) =>
  startInShell([`export FRONTDESK_KEY='${apiKey}'`, ...commands], { directory });
const bookFirst = () => {
  sample('first-request', 'the command that sets the key');
  const labels = [
    'first request',
    'command that adds the example customer',
    'command that finds a free time',
  ];
  const booking = ['command that makes the body and its key', 'command that books', 'command that cancels'];
  return [...labels, ...booking].map((label) => sample('first-request', `the ${label}`));
};
const linesOf = (text: string) => text.trim().split('\n');

it('first request, run twice, books anew after a cancellation; without a key it books nothing', async () => {
  const { api } = business;
  const cancelled = async () => (await api<{ id: number }[]>('GET', '/appointments?status=cancelled')).data();
  const before = (await cancelled()).length;
  const output = await terminal(...bookFirst(), 'echo; echo AGAIN', ...bookFirst()).ended();
  const ids = output.split('AGAIN').map((run) => /"data":\{"id":(\d+).*"status":"cancelled"/.exec(run)?.[1]);
  expect(new Set(ids).size).toBe(2);
  expect((await cancelled()).length).toBe(before + 2);

  const [cancels = '', books = '', ...first] = bookFirst().reverse();
  const withoutKey = terminal(...first.reverse(), 'BOOKING_KEY=', books, cancels);
  await expect(withoutKey.ended()).rejects.toThrow('BOOKING_KEY: parameter not set');
  expect((await api('GET', '/appointments')).body).toMatchObject({ meta: { total: before + 2 } });
});

it('books and lists: the commands of first request, appointments, idempotency and lists, in one terminal', async () => {
  const walk = sample('lists', 'a function that walks through a list');
  const shell = terminal(
    ...bookFirst(),
    'echo SLOTS',
    sample('appointments', 'the command that lists the slots of two weeks'),
    'echo; echo BOOKED',
    sample('idempotency', 'a booking that can be repeated'),
    'echo; echo WALKED',
    walk,
    'echo CUSTOMERS',
    sample('lists', 'the command that lists all customers'),
    'echo MISSED',
    sample('lists', 'the command that lists missed calls'),
    'echo FREED',
    sample('idempotency', 'the command that frees the time again'),
  );
  const output = await shell.ended();
  const between = (from: string, to: string) => output.split(`${from}\n`)[1]?.split(`${to}\n`)[0] ?? '';
  expect(JSON.parse(between('SLOTS', 'BOOKED')).data.length).toBeGreaterThan(10);
  expect(between('BOOKED', 'WALKED').match(/HTTP\S+ 201|idempotent-replayed: true/gi)).toHaveLength(3);
  expect(linesOf(between('WALKED', 'CUSTOMERS')).map((line) => JSON.parse(line).status)).toEqual([
    'scheduled',
  ]);
  expect(linesOf(between('CUSTOMERS', 'MISSED')).map((line) => JSON.parse(line).name)).toEqual([
    'Mia Wong (example)',
  ]);
  expect(between('MISSED', 'FREED')).toBe('');
  expect(JSON.parse(output.split('FREED\n')[1] ?? '').data.status).toBe('cancelled');
});

it('holds: the commands of appointments hold a time and book it, which is one appointment', async () => {
  const output = await terminal(
    ...bookFirst(),
    sample('appointments', 'the command that holds a time'),
    sample('appointments', 'the command that books the hold'),
    'echo "HELD $HOLD_ID BOOKED $APPOINTMENT_ID"',
    sample('first-request', 'the command that cancels'),
  ).ended();
  const [, id] = /HELD (\d+) BOOKED \1\b/.exec(output) ?? [];
  const statusOf = async (path: string) =>
    (await business.api<{ status: string }>('GET', path)).data().status;
  expect([await statusOf(`/holds/${id}`), await statusOf(`/appointments/${id}`)]).toEqual([
    'booked',
    'cancelled',
  ]);
});

it('finds who calls: the command of lists has the customer with the number, and nobody else', async () => {
  const number = '+49309018777';
  const known = await createCustomer(business.api, 'Ole', number);
  await createCustomer(business.api, 'Ole’s brother', `${number}1`);
  const command = sample('lists', 'the command that finds who calls');
  expect(command).toContain('phone=%2B49309018205"');
  const output = await terminal(command.replace('%2B49309018205', encodeURIComponent(number))).ended();
  expect(JSON.parse(output)).toMatchObject({ data: [{ id: known.id }], meta: { total: 1 } });
});

/** Adds some records and changes them. */
const CHANGES = {
  async appointments() {
    const [[customerId = 0], slots] = [await addCustomers(['Ola']), await freeSlots(business, 2)];
    const ids = await Promise.all(
      slots
        .filter((_slot, nth) => nth % 2 === 0)
        .slice(0, 3)
        .map(async (slot) => {
          const body = bookingOf(slot, customerId, business.serviceId);
          return (await business.api<{ id: number }>('POST', '/appointments', { body })).data().id;
        }),
    );
    for (const id of ids) await business.api('PATCH', `/appointments/${id}`, { body: { notes: 'Changed' } });
  },
  async customers() {
    for (const id of await addCustomers(['Pia', 'Raj', 'Sol', 'Tom', 'Uli']))
      await business.api('PATCH', `/customers/${id}`, { body: { notes: 'Changed' } });
  },
  async calls() {
    callSource ??= await createCallSource(target, business.tenant.id);
    const source = callSource;
    const ended = Array.from({ length: 5 }, () => endedCall({ outcome: 'inquiry' }));
    await Promise.all(ended.map((call) => sendCall(target, source, call)));
    // What comes later about a call changes it.
    for (const call of ended) await sendCall(target, source, { ...call, summary: 'Changed' });
  },
};
let callSource: MadeSource | undefined;
let numbers = 900;

async function addCustomers(names: readonly string[]): Promise<number[]> {
  const add = async (name: string) => {
    numbers += 1;
    return (await createCustomer(business.api, name, `+49 30 9016${numbers}`)).id;
  };
  return Promise.all(names.map(add));
}

it.each(['appointments', 'customers', 'calls'] as const)(
  'keeps up: the loop of lists misses no change of %s, over several pages and again and again',
  async (list) => {
    const loop = sample('lists', 'a loop that polls for changes');
    const file = `all-${list}`;
    const shell = terminal(
      sample('lists', 'a function that walks through a list'),
      loop
        .replace('pause 30', 'pause 0.1')
        .replace('appointments?per_page=100', `${list}?per_page=2`)
        .replace(
          '# ... apply',
          `node -e 'fs.appendFileSync("${file}", fs.readFileSync("changes"))'; # ... apply`,
        ),
    );
    const polled = async () => {
      const text = await readFile(join(directory, file), 'utf8');
      const records = text.trim() === '' ? [] : linesOf(text).map((line) => JSON.parse(line));
      return new Map<number, string>(records.map(({ id, updated_at }) => [id, updated_at]));
    };
    const listed = async () => {
      const all = await business.api<{ id: number; updated_at: string }[]>('GET', `/${list}?per_page=100`);
      return new Map(all.data().map(({ id, updated_at }) => [id, updated_at]));
    };
    try {
      // First what is there, which may be nothing; then twice what comes in, and what changes, while the loop runs.
      const before = (await listed()).size;
      await eventually(async () => expect(await polled()).toEqual(await listed()));
      for (const round of [1, 2]) {
        await CHANGES[list]();
        await eventually(async () => {
          const [seen, all] = [await polled(), await listed()];
          expect(all.size).toBeGreaterThanOrEqual(before + round * 3);
          expect(seen).toEqual(all);
        });
      }
    } finally {
      await shell.stop();
    }
  },
);

it('follows: the loop of the feed prints an event as it comes', async () => {
  const shell = terminal(sample('events', 'a loop that follows the feed'));
  try {
    let added = 0;
    await eventually(async () => {
      // The feed is followed from the moment at which the loop has its first cursor.
      added += 1;
      await business.api('POST', '/customers', {
        body: { name: 'Noor', phone: `+49 30 9018${100 + added}` },
      });
      expect(shell.output()).toContain('"event":"customer.created"');
    });
  } finally {
    await shell.stop();
  }
});

it('verifies: the three programs of webhooks accept a real delivery, and the command computes its signature', async () => {
  const receiver = await startReceiver({ host: target.receiverListensOn });
  const address = `http://${target.receiverHost}:${new URL(receiver.url).port}/hooks`;
  const words = ['webhook', 'create', '--tenant', String(business.tenant.id), '--url', address];
  const { secret } = await target.operator.json<{ secret: string }>([
    ...words,
    '--events',
    'customer.created',
  ]);
  await business.api('POST', '/customers', { body: { name: 'Zoë', phone: '+49 30 901899' } });
  const { rawBody, headers } = await eventually(() => {
    const [request] = receiver.requests;
    if (!request) throw new Error('no webhook yet');
    return request;
  });
  await receiver.close();
  const program = [
    `const [rawBody, headers, secret] = ${JSON.stringify([rawBody, headers, secret])};`,
    sample('webhooks', 'a function that verifies'),
    sample('webhooks', 'the same with a library'),
    sample('webhooks', 'a check of either signature'),
    'console.log(isFromFrontdesk(rawBody, headers, secret), payload.event, accepted, isFromFrontdesk(rawBody + " ", headers, secret));',
  ];
  await writeFile(join(directory, 'verify.mjs'), program.join('\n'));
  const { stdout, stderr } = await runCommand([process.execPath, join(directory, 'verify.mjs')]);
  expect([stdout, stderr]).toEqual(['true customer.created true false\n', '']);
  await writeFile(join(directory, 'body.json'), rawBody);
  const shell = terminal(`SECRET='${secret}'`, sample('webhooks', 'the command that computes a signature'));
  expect(await shell.ended()).toBe(`${headers['x-service-signature']}\n`);
});

it('reports: the program of calls sends a call, which is listed as missed', async () => {
  const { ingest_url, secret } = await createCallSource(target, business.tenant.id);
  await writeFile(join(directory, 'send.mjs'), sample('calls', 'a call sent from Node.js'));
  const INGEST_URL = new URL(new URL(ingest_url).pathname, target.gatewayUrl).href;
  const env = { PATH: process.env.PATH, INGEST_URL, INGEST_SECRET: secret };
  const { stdout } = await runCommand([process.execPath, join(directory, 'send.mjs')], { env });
  expect(stdout).toMatch(/^202 /);
  await eventually(async () => {
    const shell = terminal(
      sample('lists', 'a function that walks through a list').replace(/\nwalk '.*'$/, ''),
      sample('lists', 'the command that lists missed calls'),
    );
    expect(JSON.parse(await shell.ended())).toMatchObject({ direction: 'inbound', missed: true });
  });
});

it('receives: the commands of listen forward an event as it comes, and an example', async () => {
  const receiver = await startReceiver({ host: target.receiverListensOn });
  const folder = await runTimeFolder();
  // The packed program is tried elsewhere; here the same one runs as it stands in this clone.
  const npx = `npx() { shift; ${PATIENT.join(' ')} "$@"; }`;
  const environment = [`export XDG_RUNTIME_DIR='${folder.path}'`, npx];
  const listen = sample('listen', 'the command that forwards events')
    .replace('fd_live_…', apiKey)
    .replace('localhost:3000', `127.0.0.1:${new URL(receiver.url).port}`);
  const listener = terminal(...environment, listen);
  const types = () =>
    receiver.requests.map(({ rawBody }) => JSON.parse(rawBody)).map((body) => [body.event, body.test]);
  try {
    let added = 0;
    await eventually(async () => {
      // It forwards what happens from the moment at which it listens.
      added += 1;
      await business.api('POST', '/customers', { body: { name: 'Ida', phone: `+49 30 9017${100 + added}` } });
      expect(types()).toContainEqual(['customer.created', undefined]);
    });
    await terminal(...environment, sample('listen', 'the command that sends an example')).ended();
    expect(types()).toContainEqual(['appointment.created', true]);
  } finally {
    await listener.stop();
    await folder.remove();
    await receiver.close();
  }
});

it('every sample of the guides was run', () => {
  expect([...samples.keys()].filter((name) => !run.has(name))).toEqual([]);
});

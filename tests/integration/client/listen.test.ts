import { verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import { type Business, bookingOf, createCustomer, freeSlots } from '../../e2e/support/business.ts';
import { openTarget, type Target } from '../../e2e/support/target.ts';
import {
  eventually,
  type ReceivedRequest,
  type Receiver,
  type Relay,
  startReceiver,
  startRelay,
} from '../../support/index.ts';
import { createClientBusiness } from './client-business.ts';
import {
  PATIENT,
  type Running,
  runFrontdesk,
  runTimeFolder,
  startFrontdesk,
  untilListening,
} from './command-line.ts';

interface Line {
  event: string;
  id: string;
  test: boolean;
  cursor: string;
  status: number;
}

let target: Target;
let business: Business;
let apiKey: string;
let receiver: Receiver;
let folder: Awaited<ReturnType<typeof runTimeFolder>>;
const running: Running[] = [];

beforeAll(async () => {
  target = await openTarget();
  ({ business, apiKey } = await createClientBusiness(target));
});
beforeEach(async () => {
  [receiver, folder] = await Promise.all([startReceiver(), runTimeFolder()]);
});
afterEach(async () => {
  for (const listener of running.splice(0)) {
    listener.kill('SIGKILL');
    await listener.ended;
  }
  await receiver.close();
  await folder.remove();
});

const environment = (more: Record<string, string> = {}) => ({
  FRONTDESK_URL: target.gatewayUrl,
  FRONTDESK_API_KEY: apiKey,
  XDG_RUNTIME_DIR: folder.path,
  ...more,
});

async function listening(words: string[] = [], env = environment()) {
  const all = ['listen', '--json', '--forward', `${receiver.url}/hooks`, ...words];
  const listener = startFrontdesk(all, env, PATIENT);
  running.push(listener);
  return { listener, ...(await untilListening(listener)) };
}

let phones = 0;
const nextPhone = () => `+49 30 90185${String(++phones).padStart(2, '0')}`;
const addCustomer = (name: string) => createCustomer(business.api, name, nextPhone());
const forwardedIds = () => receiver.requests.map(({ headers }) => headers['webhook-id']);

/** What the signature covers, and what says what it is. */
const ownHeaders = ({ headers }: ReceivedRequest) =>
  Object.fromEntries(
    ['content-type', 'user-agent', 'x-service-signature', 'webhook-id'].map((name) => [name, headers[name]]),
  );

it('a booking is forwarded with the bytes and signatures of an endpoint’s delivery', async () => {
  const endpoint = await startReceiver({ host: target.receiverListensOn });
  try {
    const url = `http://${target.receiverHost}:${new URL(endpoint.url).port}/`;
    const words = `webhook create --tenant ${business.tenant.id} --url ${url} --events appointment.booked,customer.created`;
    const { id, secret } = await target.operator.json<{ id: number; secret: string }>(words.split(' '));
    const { listener } = await listening(
      ['--events', 'appointment.booked,customer.created'],
      environment({ FRONTDESK_WEBHOOK_SECRET: secret }),
    );
    const customer = await addCustomer('Zoë "✂" \u2028 </script> \\ Ünal');
    const [slot] = await freeSlots(business, 3);
    if (!slot) throw new Error('Nothing is free.');
    await business.api('POST', '/appointments', { body: bookingOf(slot, customer.id, business.serviceId) });

    await eventually(() => expect([receiver.requests.length, endpoint.requests.length]).toEqual([2, 2]));
    const byId = (requests: readonly ReceivedRequest[]) =>
      requests
        .map((request) => ({ body: request.rawBody, headers: ownHeaders(request) }))
        .toSorted((a, b) => (a.body < b.body ? -1 : 1));
    expect(byId(receiver.requests)).toEqual(byId(endpoint.requests));
    for (const { headers, rawBody: body } of receiver.requests) {
      await verifyWebhook({ headers, body, secret });
      await verifyWebhook({ headers, body, secret, scheme: 'service' });
    }
    // The listener says so after the answer. Events of different topics may come in otherwise than they were made.
    const said = () => listener.records<Line>('event').map(({ event, status }) => `${event} ${status}`);
    await eventually(() =>
      expect(said().toSorted()).toEqual(['appointment.booked 200', 'customer.created 200']),
    );
    expect(listener.stdout() + listener.stderr()).not.toContain(apiKey);
    await target.operator.run(`webhook delete ${id} --tenant ${business.tenant.id}`.split(' '));
  } finally {
    await endpoint.close();
  }
});

it('what happens while the network is cut comes once afterwards, in the order of the feed', async () => {
  const relay: Relay = await startRelay(target.gatewayUrl);
  try {
    const { listener, cursor } = await listening([], environment({ FRONTDESK_URL: relay.url }));
    await addCustomer('Before');
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await relay.cut();
    await eventually(() => expect(listener.records('note')).not.toEqual([]));
    for (const name of ['While one', 'While two']) await addCustomer(name);
    await relay.restore();
    await addCustomer('After');
    await eventually(() => expect(receiver.requests).toHaveLength(4));
    const names: string[] = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody).data.name);
    expect(names.toSorted()).toEqual(['After', 'Before', 'While one', 'While two']);
    // Events of different customers may come in otherwise than they were made.
    const feed = await business.api<{ id: string }[]>('GET', `/events?after=${encodeURIComponent(cursor)}`);
    expect(forwardedIds()).toEqual(feed.data().map(({ id }) => id));
  } finally {
    await relay.close();
  }
});

it('Ctrl-C ends it at once with 0, while the receiver hangs too, and the cursor goes on with what had no answer', async () => {
  const { listener } = await listening();
  await addCustomer('Answered');
  await eventually(() => expect(listener.records('event')).toHaveLength(1));
  receiver.respondWith(() => new Promise(() => {}));
  await addCustomer('Not answered');
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  listener.kill('SIGINT');
  expect(await listener.ended).toBe(0);
  const [{ cursor } = { cursor: '' }] = listener.records<{ cursor: string }>('ended');

  receiver.respondWith(() => ({ status: 204 }));
  await addCustomer('Later');
  const { listener: second } = await listening(['--from', cursor]);
  await eventually(() => expect(second.records('event')).toHaveLength(2));
  const names = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody).data.name);
  expect(names).toEqual(['Answered', 'Not answered', 'Not answered', 'Later']);
});

it('trigger has the listener alone forward a signed example, marked as a test', async () => {
  const { listener, secret } = await listening();
  const before = await business.api('GET', '/events');
  for (const event of ['appointment.created', 'missed_call']) {
    const env = { XDG_RUNTIME_DIR: folder.path };
    const { code, stdout, stderr } = await runFrontdesk(['trigger', event, '--json'], env, PATIENT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ event, test: true, status: 200, cursor: null });
  }
  const bodies = await Promise.all(
    receiver.requests.map(({ headers, rawBody: body }) => verifyWebhook({ headers, body, secret })),
  );
  expect(bodies).toMatchObject([
    { event: 'appointment.created', test: true, data: { status: 'scheduled' } },
    { event: 'missed_call', test: true, data: { missed: true, test: true } },
  ]);
  expect(new Set(forwardedIds()).size).toBe(2);
  await eventually(() =>
    expect(listener.records<Line>('event').map(({ test }) => test)).toEqual([true, true]),
  );
  expect((await business.api('GET', '/events')).body).toEqual(before.body);
});

it('the oldest events come first with --from oldest, and only those of --events', async () => {
  await addCustomer('One of many');
  const { listener } = await listening(['--from', 'oldest', '--events', 'customer.created']);
  const { body } = await business.api<{ id: string }[]>('GET', '/events?types=customer.created');
  if (!body.success) throw new Error('No events came.');
  const ids = body.data.map(({ id }) => id);
  await eventually(() => expect(listener.records<Line>('event').map(({ id }) => id)).toEqual(ids));
});

it('a wrong key and a cursor of nothing end it with the reason', async () => {
  const wrong = await runFrontdesk(['listen'], environment({ FRONTDESK_API_KEY: `${apiKey}x` }));
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('The API key is refused.'),
  });
  const cursor = await runFrontdesk(['listen', '--from', 'nonsense'], environment());
  expect(cursor).toMatchObject({ code: 2, stderr: expect.stringContaining('--from must be a cursor') });
  const old = Buffer.from(JSON.stringify(['events', 1, 1])).toString('base64url');
  const expired = await runFrontdesk(['listen', '--from', old], environment());
  expect(expired).toMatchObject({ code: 1, stderr: expect.stringContaining('--from oldest begins with') });
});

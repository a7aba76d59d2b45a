import { get, type IncomingMessage } from 'node:http';
import { eventually, type Receiver, startReceiver, withinOneWindow } from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

type Settings = SettingsWorld['settings'];

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const STREAM = '/settings/calls/live';
const PAGE = '/settings/account';
const MINUTE_SECONDS = 60;
const CLIENTS = 100;
/** Of one session. */
const PLACES = 5;

/** Asks for a stream over a connection of its own, which `drop` cuts. */
function openStream({ api }: Settings, browser: Browser) {
  const headers = { cookie: `frontdesk=${browser.jar.get('frontdesk')}`, accept: 'text/event-stream' };
  const request = get(`${api.listeningOrigin}${STREAM}`, { headers, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  answer.catch(() => {});
  return { answer, drop: () => void request.destroy() };
}

const afterTurn = () => new Promise<false>((resolve) => void setImmediate(resolve, false));

/**
 * A service that answers nothing until `goOn` is called, and then that it is away. `asked`: how often, without
 * questions whether it lives.
 */
async function startHanging(): Promise<Pick<Receiver, 'url' | 'close'> & { asked(): number; goOn(): void }> {
  const hanging = await startReceiver();
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>();
  hanging.respondWith(async () => {
    await isOver;
    return { status: 503 };
  });
  const { url, requests, close } = hanging;
  const asked = () => requests.filter(({ path }) => path.startsWith('/internal/')).length;
  return { url, close, asked, goOn };
}

it('429 for a session whose streams are opened and dropped by 100 clients; its pages and its colleagues go on', async () => {
  const { statuses, refused, page, colleague } = await withinOneWindow(MINUTE_SECONDS, async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: other } = await world.signedIn({ tenantId });
    const statuses: number[] = [];
    const client = async () => {
      for (let times = 0; times < 4; times += 1) {
        const stream = openStream(world.settings, browser);
        statuses.push((await stream.answer).statusCode ?? 0);
        stream.drop();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return {
      statuses,
      refused: await browser.json('GET', STREAM),
      page: await browser.html(PAGE),
      colleague: await other.html('/settings/api/webhooks/1/live'),
    };
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  expect(refused.body).toMatchObject({ success: false, code: 'rate_limited' });
  const retryAfter = Number(refused.headers['retry-after']);
  expect(retryAfter > 0 && retryAfter <= MINUTE_SECONDS).toBe(true);
  expect([page.status, colleague.status]).toEqual([200, 204]);
});

it('a stream has its place before any service is asked, and keeps it while one is, also for a client that has gone', async () => {
  const hanging = await startHanging();
  const on = await world.startSettings({ CALLS_INTERNAL_URL: hanging.url });
  const { browser, tenantId } = await world.signedIn({ on });
  const streams = Array.from({ length: 30 }, () => openStream(on, browser));
  // Who gets no place is answered at once, and told to come again.
  const withoutPlace = await eventually(async () => {
    const answered = await Promise.all(
      streams.map(({ answer }) => Promise.race([answer.then(() => true), afterTurn()])),
    );
    expect(answered.filter(Boolean)).toHaveLength(30 - PLACES);
    return answered;
  });
  await eventually(() => expect(hanging.asked()).toBe(PLACES));

  for (const [index, stream] of streams.entries()) if (!withoutPlace[index]) stream.drop();
  const more = openStream(on, browser);
  expect((await more.answer).headers['content-type']).toBe('text/event-stream');
  expect(hanging.asked()).toBe(PLACES);
  // The places of others of the tenant are not theirs.
  const { browser: colleague } = await world.signedIn({ tenantId, on });
  const theirs = openStream(on, colleague);
  await eventually(() => expect(hanging.asked()).toBe(PLACES + 1));

  hanging.goOn();
  await theirs.answer;
  await eventually(async () => {
    const asked = hanging.asked();
    const again = openStream(on, browser);
    await again.answer;
    again.drop();
    expect(hanging.asked()).toBeGreaterThan(asked);
  });
  for (const { drop } of [...streams, more, theirs]) drop();
  await hanging.close();
});

it('one tenant has at most half of the connections to a service, however much it asks for', async () => {
  const hanging = await startHanging();
  const on = await world.startSettings({ SCHEDULING_INTERNAL_URL: hanging.url });
  const { browser } = await world.signedIn({ on });
  const { browser: neighbour } = await world.signedIn({ on });
  const list = '/settings/business/services';
  const pages = Array.from({ length: 40 }, () => browser.json('GET', list));
  await eventually(() => expect(hanging.asked()).toBe(8));
  const theirs = neighbour.json('GET', list);
  await eventually(() => expect(hanging.asked()).toBe(9));
  hanging.goOn();
  expect((await Promise.all([...pages, theirs])).map(({ status }) => status)).toEqual(Array(41).fill(503));
  await hanging.close();
});

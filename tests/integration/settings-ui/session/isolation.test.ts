import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
let stranger: Browser;
let ids: { key: number; endpoint: number; delivery: number; replay: number };
let owner: Browser;

beforeAll(async () => {
  world = await startSettingsWorld();
  owner = (await world.signedIn()).browser;
  stranger = (await world.signedIn()).browser;
  const key = await owner.json('POST', '/settings/api/keys', { name: 'Owner’s key' });
  const body = { url: 'https://owner.example/hooks', events: ['call.ended'] };
  const endpoint = await owner.json('POST', '/settings/api/webhooks', body);
  const test = await owner.json('POST', `/settings/api/webhooks/${endpoint.body.data.id}/test`, {});
  const failed = { kind: 'failed' };
  const replay = await owner.json('POST', `/settings/api/webhooks/${endpoint.body.data.id}/replays`, failed);
  ids = {
    key: key.body.data.id,
    endpoint: endpoint.body.data.id,
    delivery: test.body.data.id,
    replay: replay.body.data.id,
  };
});
afterAll(() => world.stop());

const CHANGE = { url: 'https://stranger.example/hooks', events: ['call.missed'] };

/** Every route that names a record. */
const ROUTES = [
  ['GET', ({ key }) => `keys/${key}`, 'API key'],
  ['POST', ({ key }) => `keys/${key}`, 'API key', { name: 'Taken' }],
  ['POST', ({ key }) => `keys/${key}/roll`, 'API key', { hours: 1 }],
  ['POST', ({ key }) => `keys/${key}/revoke`, 'API key'],
  ['POST', ({ key }) => `keys/${key}/delete`, 'API key'],
  ['DELETE', ({ key }) => `keys/${key}`, 'API key'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/pause`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/resume`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/rotate-secret`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/test`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/delete`, 'Webhook endpoint'],
  ['DELETE', ({ endpoint }) => `webhooks/${endpoint}`, 'Webhook endpoint'],
  ['GET', ({ endpoint }) => `webhooks/${endpoint}`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}`, 'Webhook endpoint', CHANGE],
  ['PATCH', ({ endpoint }) => `webhooks/${endpoint}`, 'Webhook endpoint', CHANGE],
  ['GET', ({ endpoint }) => `webhooks/${endpoint}/replays`, 'Webhook endpoint'],
  ['POST', ({ endpoint }) => `webhooks/${endpoint}/replays`, 'Webhook endpoint', { kind: 'failed' }],
  ['POST', ({ replay }) => `replays/${replay}/cancel`, 'Replay'],
  ['GET', ({ delivery }) => `deliveries/${delivery}`, 'Delivery'],
  ['GET', ({ delivery }) => `deliveries/${delivery}/download`, 'Delivery'],
  ['POST', ({ delivery }) => `deliveries/${delivery}/resend`, 'Delivery'],
] as const satisfies readonly (readonly [
  'GET' | 'POST' | 'PATCH' | 'DELETE',
  (record: typeof ids) => string,
  string,
  object?,
])[];

it.each(
  ROUTES.map(
    ([method, path, kind], index) =>
      [method, path({ key: 1, endpoint: 2, delivery: 3, replay: 4 }), kind, index] as const,
  ),
)('404: %s %s of another tenant answers as for what does not exist', async (method, _path, kind, index) => {
  const path = (record: typeof ids) => `/settings/api/${ROUTES[index]?.[1](record)}`;
  const unknown = { key: 2 ** 40, endpoint: 2 ** 40, delivery: 2 ** 40, replay: 2 ** 40 };
  for (const record of [ids, unknown]) {
    const answer = await stranger.json(method, path(record), ROUTES[index]?.[3]);
    expect([answer.status, answer.body.message]).toEqual([404, `${kind} not found.`]);
  }
});

it('shows nothing of another tenant on any page, and what they tried has changed nothing', async () => {
  const query = `endpoint_id=${ids.endpoint}`;
  for (const path of ['/settings/api', `/settings/api?${query}`, '/settings/audit', '/settings/account']) {
    const { status, page } = await stranger.html(path);
    expect(status).toBe(200);
    expect(page).not.toMatch(/Owner’s key|owner\.example/);
  }
  const { body } = await owner.json('GET', '/settings/api');
  expect(body.data).toMatchObject({
    keys: [{ id: ids.key, is_active: true }],
    webhooks: [{ id: ids.endpoint, is_active: true, url: 'https://owner.example/hooks' }],
    deliveries: [{ id: ids.delivery }],
  });
});

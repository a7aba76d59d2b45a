import type { Browser } from './inject-browser.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
let browser: Browser;

beforeAll(async () => {
  world = await startSettingsWorld();
  ({ browser } = await world.signedIn());
});
afterAll(() => world.stop());

/** Some whose service is there, and some of services that are away. */
const ROUTES = [
  ...['/settings', '/settings/api', '/settings/people', '/settings/audit', '/settings/account'],
  ...['/settings/all', '/settings/statistics', '/settings/account/sessions'],
  ...['/settings/business', '/settings/business/services', '/settings/business/opening-hours'],
  ...[
    '/settings/calendar',
    '/settings/customers',
    '/settings/calls',
    '/settings/calls/missed',
    '/settings/calendar/week',
    '/settings/api/webhooks/1',
    '/settings/api/deliveries/1',
  ],
];

it.each(ROUTES)('nothing keeps what %s says to a session, as a page or as JSON', async (route) => {
  const page = await browser.html(route);
  const json = await browser.send('GET', route, { accept: 'application/json' });
  for (const { headers } of [page, json]) {
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.vary).toContain('accept');
  }
});

it('nor secrets that were made just now, refusals, files and streams', async () => {
  const key = await browser.json('POST', '/settings/api/keys', { name: 'Website' });
  const refused = await browser.json('POST', '/settings/api/keys', {});
  const gone = await browser.json('DELETE', `/settings/api/keys/${key.body.data.id}`);
  const invited = await browser.json('POST', '/settings/people/invitations', {
    email: 'guest@salon.example',
  });
  const confirmed = await browser.json('POST', '/settings/confirm', { password: PASSWORD });
  const file = await browser.json('GET', '/settings/api/deliveries/1/download');
  const stream = await browser.html('/settings/api/webhooks/1/live');
  const answers = [key, refused, gone, invited, confirmed, file, stream];
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 200, 201, 200, 404, 204]);
  for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
});

it('nor that there is no session', async () => {
  const stranger = world.browser();
  const [page, json] = [
    await stranger.html('/settings/people'),
    await stranger.json('GET', '/settings/people'),
  ];
  expect([page.status, json.status]).toEqual([303, 401]);
  for (const { headers } of [page, json]) expect(headers['cache-control']).toBe('no-store');
});

it('while files that are the same for everybody are kept', async () => {
  const [, asset = ''] =
    /href="(\/settings\/assets\/[^"]+\.css)"/.exec((await browser.html('/settings')).page) ?? [];
  expect((await browser.html(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

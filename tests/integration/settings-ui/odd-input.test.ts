import { type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const MARKUP = { isEscaped: true, callbacks: 1 };
const ODD: unknown[] = [
  MARKUP,
  [MARKUP],
  { isEscaped: true },
  { toString: 1 },
  { constructor: 1 },
  7,
  true,
  ['a', 'b'],
];

it.each(ODD)(
  'what is no text in a field of the sign-in: 422, in the language that was asked for',
  async (email) => {
    const post = (accept: string) =>
      world
        .browser()
        .send(
          'POST',
          '/settings/sign-in',
          { accept, 'content-type': 'application/json' },
          JSON.stringify({ email, password: 'x', next: email }),
        );
    const page = await post('text/html');
    expect([page.statusCode, page.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(page.body).toMatch(/id="email-error">Email must be a string/);
    const json = await post('application/json');
    expect([json.statusCode, json.json().errors]).toEqual([
      422,
      { email: ['The email field must be a string.'], next: ['The next field must be a string.'] },
    ]);
  },
);

it('422 for more fields than a form has; as many are taken, known or not', async () => {
  const email = 'nobody@salon.example';
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]));
  const signIn = (fields: object) =>
    world.browser().json('POST', '/settings/sign-in', { email, password: 'x', ...fields });
  const refused = await signIn(unknown(999));
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { body: ['The request body must have at most 1000 fields.'] },
  ]);
  expect((await signIn(unknown(998))).status).toBe(401);
});

it.each(['sign-in', 'reset', 'invitation'])(
  'more than 64 KiB of a stranger: 413, unparsed: %s',
  async (name) => {
    const nested = '['.repeat(64 * 1024);
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const refused = await world.browser().send('POST', `/settings/${name}`, headers, nested + nested);
    expect([refused.statusCode, refused.json().code]).toEqual([413, 'payload_too_large']);
    const asked = { ...headers, accept: 'text/html' };
    const page = await world.browser().send('POST', `/settings/${name}`, asked, nested + nested);
    expect([page.statusCode, page.body.includes('The request body is too large.')]).toEqual([413, true]);
  },
);

it('422 for a field that comes twice, and the page shows the form again', async () => {
  const fields = { email: ['a@salon.example', '<b>'], password: 'x' };
  const { status, page } = await world.browser().form('/settings/sign-in', fields);
  expect([status, page.includes('<b>')]).toEqual([422, false]);
  const { browser } = await world.signedIn();
  const refused = await browser.form('/settings/api/keys', { name: ['a', 'b'] });
  expect([refused.status, refused.page.includes('Name of a new key must be a string')]).toEqual([422, true]);
});

it.each(['/settings/%', '/settings/api/keys/%ff', '/%E0%A4%A'])(
  'an address that is none, %s: 404',
  async (path) => {
    const page = await world.browser().send('GET', path, { accept: 'text/html' });
    expect([page.statusCode, page.body.startsWith('<!doctype html>')]).toEqual([404, true]);
    const json = await world.browser().send('GET', path, { accept: 'application/json' });
    expect([json.statusCode, json.json().code]).toEqual([404, 'not_found']);
  },
);

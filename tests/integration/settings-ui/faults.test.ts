import { gzipSync } from 'node:zlib';
import { eventually, startReceiver } from '../../support/index.ts';
import { NO_REDIS, NOBODY, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

describe('a service that is away', () => {
  const DEADLINE_MS = '4000';

  it('a service that is away shows in its cards; the rest of the page works', async () => {
    const on = await world.startSettings({ WEBHOOKS_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ on });
    const made = await browser.form('/settings/api/keys', { name: 'Still made' });
    expect(made.status).toBe(201);
    expect(made.page).toContain('The key “Still made” is ready.');
    expect(made.page).toContain('The endpoints can’t be shown right now');
    expect(made.page).toContain('The log can’t be shown right now');
    const json = await browser.json('GET', '/settings/api');
    expect([json.status, json.body.code]).toEqual([503, 'service_unavailable']);

    const typed = { url: 'https://example.com/typed', events: ['call.ended'] };
    const refused = await browser.form('/settings/api/webhooks', typed);
    expect(refused.status).toBe(503);
    expect(refused.page).toContain(`value="${typed.url}"`);
  });

  it('a gateway that is away: no keys, no usage, times in UTC, and the webhooks as ever', async () => {
    const on = await world.startSettings({ GATEWAY_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ on });
    const body = { url: 'https://example.com/hooks', events: ['call.ended'] };
    expect((await browser.json('POST', '/settings/api/webhooks', body)).status).toBe(201);
    const { status, page } = await browser.html('/settings/api');
    expect(status).toBe(200);
    expect(page).toContain('The keys can’t be shown right now');
    expect(page).toContain('The usage can’t be shown right now');
    expect(page).toContain('Times are when events came in, in UTC');
    expect(page).toContain('https://example.com/hooks');
  });

  it('a crm of an earlier release, which names no reasons: the page says what the API says', async () => {
    const earlier = await startReceiver();
    earlier.respondWith(({ method }) => ({
      status: method === 'POST' ? 422 : 503,
      body: JSON.stringify({
        success: false,
        code: method === 'POST' ? 'validation_failed' : 'service_unavailable',
        message: 'The given data was invalid.',
        request_id: 'of-earlier',
        errors: { phone: ['The phone has already been taken.'], segment: ['The segment field is odd.'] },
      }),
    }));
    const on = await world.startSettings({ CRM_INTERNAL_URL: earlier.url });
    const { browser } = await world.signedIn({ on });
    const typed = { name: 'Ben', phone: '030 23125 123', segment: 'lead' };
    const { status, page } = await browser.form('/settings/customers/new', typed);
    expect(status).toBe(422);
    expect(page).toContain('id="phone-error">The phone has already been taken.</p>');
    expect(page).toContain('id="segment-error">The segment field is odd.</p>');
    await earlier.close();
  });

  it('without Redis nobody is signed in: every page says so, forms too', async () => {
    const on = await world.startSettings({ REDIS_URL: NO_REDIS });
    const browser = world.browser(on);
    browser.jar.set('frontdesk', 'some-session');
    const answers = [
      await browser.html('/settings/api'),
      await browser.form('/settings/api/keys', { name: 'X' }),
      await browser.form('/settings/sign-in', { email: 'a@b.example', password: 'x' }),
    ];
    for (const { status, page } of answers) {
      expect(status).toBe(503);
      expect(page).toContain('Settings are not available right now.');
    }
  });

  it('a service that hangs holds the page up no longer than the deadline: it comes while that hangs', async () => {
    const hanging = await startReceiver();
    hanging.respondWith(() => new Promise(() => {}));
    const on = await world.startSettings({
      WEBHOOKS_INTERNAL_URL: hanging.url,
      PAGE_TIMEOUT_MS: DEADLINE_MS,
    });
    const { browser } = await world.signedIn({ on });
    // The others have the same deadline, which a busy machine may miss now and then.
    await eventually(async () => {
      const { status, page } = await browser.html('/settings/api');
      expect(status).toBe(200);
      expect(page).toContain('The endpoints can’t be shown right now');
      expect(page).toContain('Create key');
    });
    await hanging.close();
  });
});

describe('odd input', () => {
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
      expect(page.body).toContain('id="email-error">Enter this as text.');
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
      expect([page.statusCode, page.body.includes('This is more than can be sent at once.')]).toEqual([
        413,
        true,
      ]);
    },
  );

  it('422 for a field that comes twice, and the page shows the form again', async () => {
    const fields = { email: ['a@salon.example', '<b>'], password: 'x' };
    const { status, page } = await world.browser().form('/settings/sign-in', fields);
    expect([status, page.includes('<b>')]).toEqual([422, false]);
    const { browser } = await world.signedIn();
    const refused = await browser.form('/settings/api/keys', { name: ['a', 'b'] });
    expect([refused.status, refused.page.includes('id="name-error">Enter this as text.')]).toEqual([
      422,
      true,
    ]);
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

  const FORM = 'application/x-www-form-urlencoded';
  const UNREADABLE: [name: string, status: number, headers: Record<string, string>, body: string | Buffer][] =
    [
      ['escapes of Latin-1', 400, { 'content-type': FORM }, 'name=J%F6rg'],
      ['bytes of Latin-1', 400, { 'content-type': FORM }, Buffer.from('name=J\xf6rg', 'latin1')],
      ['escapes of half a pair', 400, { 'content-type': FORM }, 'name=%ED%A0%80'],
      ['a name in Latin-1', 400, { 'content-type': FORM }, 'name=Till&%FF=1'],
      ['another charset', 415, { 'content-type': `${FORM}; charset="ISO-8859-1"` }, 'name=Till'],
      ['a coding', 415, { 'content-type': FORM, 'content-encoding': 'gzip' }, gzipSync('name=Till')],
      [
        'JSON in Latin-1',
        400,
        { 'content-type': 'application/json' },
        Buffer.from('{"name":"J\xf6rg"}', 'latin1'),
      ],
      ['JSON with half a pair', 400, { 'content-type': 'application/json' }, String.raw`{"name":"\ud800"}`],
      [
        'coded JSON',
        415,
        { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        gzipSync('{"name":"Till"}'),
      ],
    ];

  it.each(UNREADABLE)(
    'a body of %s: %i, on a page that shows no empty form, and in the envelope',
    async (_name, status, headers, body) => {
      const { browser } = await world.signedIn();
      const sent = { ...headers, 'x-csrf-token': browser.csrfToken() };
      const page = await browser.send('POST', '/settings/api/keys', { ...sent, accept: 'text/html' }, body);
      expect(page.statusCode).toBe(status);
      expect(page.body).toContain('Nothing was saved');
      expect(page.body).not.toContain('name="name"');
      const json = await browser.send(
        'POST',
        '/settings/api/keys',
        { ...sent, accept: 'application/json' },
        body,
      );
      const code = status === 400 ? 'invalid_json' : 'unsupported_media_type';
      expect([json.statusCode, json.json().code]).toEqual([status, code]);
      const { body: settings } = await browser.json('GET', '/settings/api');
      expect(settings.data.keys).toEqual([]);
    },
  );

  it('a form in UTF-8 is taken however it is written', async () => {
    const { browser } = await world.signedIn();
    const headers = { accept: 'application/json', 'x-csrf-token': browser.csrfToken() };
    for (const [type, body, name] of [
      [FORM, 'name=J%C3%B6rg+100%', 'Jörg 100%'],
      [`${FORM}; charset=UTF-8`, 'name=Jörg', 'Jörg'],
    ] as const) {
      const made = await browser.send(
        'POST',
        '/settings/api/keys',
        { ...headers, 'content-type': type },
        body,
      );
      expect([made.statusCode, made.json().data.name]).toEqual([201, name]);
    }
  });
});

import { Redis } from 'ioredis';
import { engines, eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { fieldsOf, tokenIn } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { startWithRoutes } from '../registered-routes.ts';
import { confirmedAgo, storedSession } from '../session-of.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const API = '/settings/api';
const KEYS = `${API}/keys`;
const WEBHOOKS = `${API}/webhooks`;
const CONFIRM = '/settings/confirm';
const FILE = '/settings/customers/export.csv';
const TITLE = 'Confirm it’s you';
const WRONG = 'The password is wrong.';
const MINUTE_MS = 60_000;

/** Who has shown the password so long ago. */
async function signedInAgo(minutes = 11, options: Parameters<SettingsWorld['signedIn']>[0] = {}) {
  const signedIn = await world.signedIn(options);
  await confirmedAgo(redis, signedIn.browser, minutes);
  return signedIn;
}
const namesOf = async (browser: Browser): Promise<string[]> =>
  (await browser.json('GET', API)).body.data.keys.map(({ name }: { name: string }) => name);

/** Everything that is dangerous in a stranger's hands. */
const GUARDED = [
  ['POST', KEYS, { name: 'Website' }],
  ['POST', `${KEYS}/1`, { name: 'Website' }],
  ['POST', `${KEYS}/1/roll`, { hours: 1 }],
  ['POST', `${KEYS}/1/revoke`, {}],
  ['POST', `${KEYS}/1/delete`, {}],
  ['DELETE', `${KEYS}/1`, undefined],
  ['POST', WEBHOOKS, { url: UNANSWERED, events: ['call.ended'] }],
  ['POST', `${WEBHOOKS}/1`, { url: UNANSWERED, events: ['call.ended'] }],
  ['PATCH', `${WEBHOOKS}/1`, { url: UNANSWERED }],
  ['POST', `${WEBHOOKS}/1/rotate-secret`, {}],
  ['POST', `${WEBHOOKS}/1/replays`, { kind: 'failed' }],
  ['POST', `${WEBHOOKS}/1/resume`, { missed: 'send' }],
  ['POST', '/settings/calls/sources', { provider: 'generic', name: 'Line' }],
  ['POST', '/settings/calls/sources/1', { settings: { vapi: { scheme: 'bearer' } } }],
  ['POST', '/settings/calls/sources/1/rotate', {}],
  ['POST', '/settings/people/invitations', { email: 'guest@salon.example' }],
  ['POST', '/settings/people/invitations/1/send-again', {}],
  ['POST', '/settings/people/invitations/1/revoke', {}],
  ['DELETE', '/settings/people/invitations/1', undefined],
  ['POST', '/settings/people/1/role', { role: 'viewer' }],
  ['POST', '/settings/people/1/remove', {}],
  ['DELETE', '/settings/people/1', undefined],
  ['POST', '/settings/account/email', { email: 'new@salon.example' }],
  ['GET', FILE, undefined],
] as const;

/** Gives nobody access, and sends no data or secret to where it didn't go before. */
const OPEN = [
  // Records of the business itself.
  /^POST \/settings\/(business|calendar|customers)\//,
  /^POST \/settings\/calls\/1\/(not-)?called-back$/,
  /^(DELETE|POST) \/settings\/calls\/messages\/1(\/delete|\/replay)?$/,
  // Endpoints and sources as they are: their end, and messages to where they lead.
  /^(DELETE \/settings\/api\/webhooks\/1|POST \/settings\/api\/webhooks\/1\/(delete|pause|test))$/,
  /^POST \/settings\/api\/(deliveries\/1\/(resend|send-now)|replays\/1\/cancel)$/,
  /^(DELETE \/settings\/calls\/sources\/1|POST \/settings\/calls\/sources\/1\/(delete|pause|resume|test))$/,
  // These ask for a password, a link or the session that they end.
  /^POST \/settings\/(sign-in|sign-in\/business|sign-out|switch-business|confirm|account\/password)$/,
  /^POST \/settings\/account\/sessions\/(1\/end|end-others)$/,
  /^POST \/settings\/(forgot|reset|invitation|address)$/,
];

describe('what needs the password', () => {
  it('is known of each route that changes something', async () => {
    const { routes } = await startWithRoutes(() => world.startSettings());
    const changing = routes
      .filter(({ method, isInternal }) => method !== 'GET' && !isInternal)
      .map(({ method, url }) => `${method} ${url.replaceAll(/:\w+/g, '1')}`);
    const guarded = new Set<string>(GUARDED.map(([method, url]) => `${method} ${url}`));
    const isOpen = (route: string) => OPEN.some((pattern) => pattern.test(route));
    expect(changing.length).toBeGreaterThan(70);
    expect(changing.filter((route) => guarded.has(route) === isOpen(route))).toEqual([]);
  });

  it.each(GUARDED)(
    '%s %s: 403 once it was shown ten minutes ago, until it is shown again',
    async (...route) => {
      const [method, url, body] = route;
      const { browser } = await signedInAgo();
      const refused = await browser.json(method, url, body);
      expect([refused.status, refused.body.code]).toEqual([403, 'confirmation_required']);
      const { status, body: answer } = await browser.json('POST', CONFIRM, { password: PASSWORD });
      expect(status).toBe(200);
      const untilMs = Date.parse(answer.data.confirmed_until) - Date.now();
      expect([untilMs > 9 * MINUTE_MS, untilMs <= 10 * MINUTE_MS]).toEqual([true, true]);
      // The file is none of JSON.
      const again = await browser.send(
        method,
        url,
        {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-csrf-token': browser.csrfToken(),
        },
        body && JSON.stringify(body),
      );
      expect(again.statusCode).not.toBe(403);
    },
  );

  it('is done without a question within ten minutes, and by who has just signed in', async () => {
    const { browser } = await signedInAgo(9);
    expect((await browser.json('POST', KEYS, { name: 'Soon' })).status).toBe(201);
    const { browser: fresh } = await world.signedIn();
    expect((await fresh.form(KEYS, { name: 'At once' })).status).toBe(201);
  });

  it('nothing else asks', async () => {
    const { browser } = await signedInAgo();
    for (const path of ['/settings/people', API, '/settings/account', '/settings/audit'])
      expect([path, (await browser.html(path)).status]).toEqual([path, 200]);
    expect((await browser.json('POST', '/settings/sign-out', {})).status).toBe(200);
  });

  it('what was shown at one process counts at each, and in the session that another business opens in', async () => {
    const { browser, email, tenantId } = await signedInAgo();
    const on = await world.startSettings();
    const same = world.browser(on);
    same.jar.set('frontdesk', browser.jar.get('frontdesk') ?? '');
    const create = (name: string) => same.json('POST', KEYS, { name }, browser.csrfToken());
    expect((await create('Early')).body.code).toBe('confirmation_required');
    await browser.json('POST', CONFIRM, { password: PASSWORD });
    expect((await create('Late')).status).toBe(201);

    const second = await world.join(email);
    await confirmedAgo(redis, browser, 11);
    const switched = await browser.json('POST', '/settings/switch-business', { business_id: second });
    const { csrf_token } = switched.body.data;
    const asked = await browser.json('POST', KEYS, { name: 'x' }, csrf_token);
    expect([tenantId === second, asked.body.code]).toEqual([false, 'confirmation_required']);
  });

  it('needs a session and its token as ever, before anything is said of a password', async () => {
    const { browser } = await signedInAgo();
    const fields = { name: 'Website', _csrf: 'wrong', _password: PASSWORD };
    const form = await browser.form(KEYS, fields);
    expect([form.status, form.page.includes(TITLE)]).toEqual([403, false]);
    const json = await browser.json('POST', CONFIRM, { password: PASSWORD }, 'wrong');
    expect([json.status, json.body.code]).toEqual([403, 'csrf_failed']);
    expect((await world.browser().json('POST', CONFIRM, { password: PASSWORD })).status).toBe(401);
    expect(await namesOf(browser)).toEqual([]);
    expect((await browser.json('POST', KEYS, { name: 'x' })).body.code).toBe('confirmation_required');
  });
});

describe('a form of a page', () => {
  const EVENTS = ['call.ended', 'call.missed'];

  it('comes back with all that was sent and asks; with the answer it goes on', async () => {
    const { browser } = await signedInAgo();
    const form_token = await tokenIn(browser, API, WEBHOOKS);
    const sent = { url: UNANSWERED, events: EVENTS, form_token, extra: '"><b>&amp;' };
    const asked = await browser.form(`${WEBHOOKS}?from=here`, sent);
    expect(asked.status).toBe(403);
    expect(asked.page).toContain(TITLE);
    expect(asked.page).toContain(`action="${WEBHOOKS}?from=here"`);
    expect(
      asked.page
        .split('id="confirm"')[1]
        ?.split('</form>')[0]
        ?.match(/name="_csrf"/g),
    ).toHaveLength(1);
    const kept = fieldsOf(asked.page, 'confirm');
    expect(kept).toEqual({
      url: [UNANSWERED],
      events: EVENTS,
      form_token: [form_token],
      extra: ['"><b>&amp;'],
      _password: [''],
    });

    const done = await browser.form(WEBHOOKS, { ...kept, _password: PASSWORD });
    expect([done.status, done.page.includes('Copy it now')]).toEqual([201, true]);
    expect(done.page).not.toContain(PASSWORD);
    // The question has used no token up, and the answer has.
    const again = await browser.form(WEBHOOKS, { ...kept, _password: PASSWORD });
    expect([again.status, again.headers.location]).toEqual([303, `${API}?done=already-created#webhooks`]);
    expect((await browser.json('GET', API)).body.data.webhooks).toHaveLength(1);
    const { page } = await browser.html('/settings/audit');
    expect([page.includes(UNANSWERED), page.includes(PASSWORD)]).toEqual([true, false]);
  });

  it('an endpoint gets another address only with the answer', async () => {
    const { browser } = await world.signedIn();
    const made = await browser.json('POST', WEBHOOKS, { url: UNANSWERED, events: EVENTS });
    const { id } = made.body.data;
    await confirmedAgo(redis, browser, 11);
    const fields = { url: `${UNANSWERED}/elsewhere`, events: EVENTS };
    const urlNow = async () => (await browser.json('GET', `${WEBHOOKS}/${id}`)).body.data.url;
    const asked = await browser.form(`${WEBHOOKS}/${id}`, fields);
    const kept = fieldsOf(asked.page, 'confirm');
    expect([asked.status, kept, await urlNow()]).toEqual([
      403,
      { url: [fields.url], events: EVENTS, _password: [''] },
      UNANSWERED,
    ]);
    const done = await browser.form(`${WEBHOOKS}/${id}`, { ...kept, _password: PASSWORD });
    expect([done.status, await urlNow()]).toEqual([303, fields.url]);
  });

  it('a wrong answer asks again, with what is wrong and all that was sent; it is counted', async () => {
    const { browser } = await signedInAgo();
    const fields = { url: UNANSWERED, events: EVENTS, _password: 'not my password' };
    const { status, page } = await browser.form(WEBHOOKS, fields);
    expect([status, page.includes(TITLE), page.includes(WRONG)]).toEqual([422, true, true]);
    expect(page).not.toContain('not my password');
    expect(fieldsOf(page, 'confirm')).toEqual({ url: [UNANSWERED], events: EVENTS, _password: [''] });
    expect((await browser.json('GET', API)).body.data.webhooks).toEqual([]);
    await eventually(async () =>
      expect((await browser.html('/settings/audit')).page).toContain('Confirmed with the password'),
    );
    expect((await browser.html('/settings/audit')).page).not.toContain('not my password');
    for (const answer of ['', [PASSWORD, PASSWORD]]) {
      const refused = await browser.form(WEBHOOKS, { ...fields, _password: answer });
      expect([answer, [403, 422].includes(refused.status), refused.page.includes(TITLE)]).toEqual([
        answer,
        true,
        true,
      ]);
    }
  });

  it('what is wrong with the form itself is said once the password is shown', async () => {
    const { browser } = await signedInAgo();
    const { status, page } = await browser.form(KEYS, { name: '', _password: PASSWORD });
    expect([status, page.includes(TITLE), page.includes('This field is required.')]).toEqual([
      422,
      false,
      true,
    ]);
  });

  it('twenty wrong answers end the session, whatever business it is of; its owner goes on elsewhere', async () => {
    const { browser, email } = await signedInAgo();
    const owner = world.browser();
    await owner.signIn(email, PASSWORD);
    const second = await world.join(email);
    const change = { current_password: 'wrong', new_password: 'four loud herons' };
    let token = browser.csrfToken();
    const guess = async (n: number) => {
      if (n % 3 === 0) return browser.json('POST', CONFIRM, { password: 'wrong' }, token);
      if (n % 3 === 1) return browser.form(KEYS, { name: 'x', _password: 'wrong', _csrf: token });
      return browser.json('POST', '/settings/account/password', change, token);
    };
    for (let n = 0; n < 12; n += 1) expect((await guess(n)).status).toBe(422);
    // Another session of the same sign-in is no new beginning.
    const switched = await browser.json('POST', '/settings/switch-business', { business_id: second });
    token = switched.body.data.csrf_token;
    await confirmedAgo(redis, browser, 11);
    for (let n = 0; n < 7; n += 1) expect((await guess(n)).status).toBe(422);
    // What is right counts for nothing.
    expect((await browser.json('POST', CONFIRM, { password: PASSWORD }, token)).status).toBe(200);
    await confirmedAgo(redis, browser, 11);
    const last = await browser.form(KEYS, { name: 'x', _password: 'wrong', _csrf: token });
    expect([last.status, last.headers.location]).toEqual([303, '/settings/sign-in']);
    expect((await browser.json('GET', '/settings')).status).toBe(401);

    await confirmedAgo(redis, owner, 11);
    expect((await owner.json('POST', CONFIRM, { password: PASSWORD })).status).toBe(200);
    const { body } = await owner.json('POST', '/settings/switch-business', { business_id: second });
    const { page } = await owner.html('/settings/audit');
    expect(page).toContain('after 20 wrong passwords');
    const own = { current_password: PASSWORD, new_password: 'four loud herons' };
    const changed = await owner.json('POST', '/settings/account/password', own, body.data.csrf_token);
    expect(changed.status).toBe(200);
  });
});

describe('a link to a file', () => {
  const link = `${FILE}?search=Ben+Adler%26*&segment=vip`;

  it('asks, and leads to it; nowhere else', async () => {
    const { browser } = await signedInAgo();
    const asked = await browser.html(link);
    expect([asked.status, asked.page.includes(TITLE)]).toEqual([403, true]);
    expect(asked.page).toContain(`action="${CONFIRM}"`);
    expect(asked.page).toContain('href="/settings/customers"');
    const kept = fieldsOf(asked.page, 'confirm');
    expect(kept).toEqual({ next: [link], password: [''] });
    const wrong = await browser.form(CONFIRM, { ...kept, password: 'wrong' });
    expect([wrong.status, fieldsOf(wrong.page, 'confirm')]).toEqual([422, kept]);
    const done = await browser.form(CONFIRM, { ...kept, password: PASSWORD });
    expect([done.status, done.headers.location]).toEqual([303, link]);
    expect((await browser.html(link)).status).not.toBe(403);
    for (const next of ['https://evil.example', '//evil.example', '/settings/../x', 'javascript:1']) {
      const { headers } = await browser.form(CONFIRM, { password: PASSWORD, next });
      expect([next, headers.location]).toEqual([next, '/settings']);
    }
  });
});

describe('POST /settings/confirm', () => {
  it('422 in words for whatever is no password', async () => {
    const { browser } = await signedInAgo();
    for (const value of [null, true, 7, [], {}, [PASSWORD], { a: 1 }, 'x'.repeat(300)]) {
      for (const body of [{ password: value }, { password: PASSWORD, next: value }]) {
        if ('next' in body && typeof value === 'string') continue;
        const { status, body: answer } = await browser.json('POST', CONFIRM, body);
        expect([body, status, answer.words]).toEqual([body, 422, expect.any(String)]);
      }
    }
    expect((await browser.json('POST', CONFIRM, {})).status).toBe(422);
    expect((await browser.json('POST', KEYS, { name: 'x' })).body.code).toBe('confirmation_required');
  });

  it('whatever `_password` is in JSON: it answers nothing, and gets nowhere', async () => {
    const { browser } = await signedInAgo();
    const odd = [null, true, 7, [], {}, [PASSWORD], PASSWORD];
    for (const _password of odd) {
      const { status, body } = await browser.json('POST', KEYS, { name: 'x', _password });
      expect([_password, status, body.code]).toEqual([_password, 403, 'confirmation_required']);
    }
    await browser.json('POST', CONFIRM, { password: PASSWORD });
    expect((await browser.json('POST', KEYS, { name: 'Odd', _password: {} })).status).toBe(201);
  });

  it('a session that has ended meanwhile doesn’t come back by it', async () => {
    const { browser } = await signedInAgo();
    const { key } = await storedSession(redis, browser.jar.get('frontdesk') ?? '');
    await redis.del(key);
    expect((await browser.json('POST', CONFIRM, { password: PASSWORD })).status).toBe(401);
    expect(await redis.exists(key)).toBe(0);
  });

  it('works in a suspended business, which stays read-only', async () => {
    const { browser, tenantId } = await signedInAgo();
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
      status: 'suspended',
    });
    await eventually(async () =>
      expect((await browser.html('/settings')).page).toContain('This business is suspended.'),
    );
    expect((await browser.json('POST', CONFIRM, { password: PASSWORD })).status).toBe(200);
    expect((await browser.json('POST', KEYS, { name: 'x' })).body.code).toBe('tenant_suspended');
  });
});

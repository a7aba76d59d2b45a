import {
  createFormTokens,
  MOST_FORMS,
  MOST_FORMS_OF_TENANT,
} from '../../../../services/settings-ui/src/changes/form-tokens.ts';
import { FORM_LIVES_MS, newFormToken } from '../../../../services/settings-ui/src/forms/form-token.rules.ts';
import { withinOneWindow } from '../../../support/index.ts';
import { startOwnRedis } from '../../../support/own-redis.ts';
import { tokenIn } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { hashOf, sessionOf, tokenFrom } from '../session-of.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let own: Awaited<ReturnType<typeof startOwnRedis>>;
let world: SettingsWorld;
let on: SettingsWorld['settings'];
beforeAll(async () => {
  own = await startOwnRedis('forms');
  world = await startSettingsWorld();
  on = await world.startSettings({ REDIS_URL: own.url });
});
afterAll(async () => {
  await world.stop();
  await own.stop();
});

const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;
const SENT = `${PEOPLE}?done=invitation-sent`;
const AGAIN = `${PEOPLE}?done=already-invited`;
const BOOK = '/settings/calendar/book';
const DAY_SECONDS = 86_400;
const EXPIRED = 'This form has expired: its page was open for more than 24 hours';
const SINCE = 'settings:form-times-since';

const tokenOf = ({ jar }: Browser) => jar.get('frontdesk') ?? '';
const invite = (browser: Browser, email: string, form_token: string) =>
  browser.form(INVITATIONS, { email, form_token });

const invited = async (browser: Browser): Promise<number> =>
  (await browser.json('GET', PEOPLE)).body.data.invitations.length;

const tokenOn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** Keys of forms but for their number of a tenant, and how long each is kept. */
async function keptForms() {
  const keys = (await own.redis.keys('settings:form*')).filter(
    (key) => key !== SINCE && !key.startsWith('settings:forms-of:'),
  );
  return Promise.all(keys.map(async (key) => [key, await own.redis.ttl(key)] as const));
}

beforeEach(async () => {
  await own.redis.flushall();
  // As on every day but that of the upgrade.
  await own.redis.set(SINCE, Date.now() - FORM_LIVES_MS);
});

it('a used form is kept for 24 hours; of a session’s forms there is one key', async () => {
  const { browser } = await world.signedIn({ on });
  for (const email of ['one@salon.example', 'two@salon.example']) {
    const token = await tokenIn(browser, PEOPLE, INVITATIONS);
    expect((await invite(browser, email, token)).headers.location).toBe(SENT);
    expect((await invite(browser, email, token)).headers.location).toBe(AGAIN);
  }
  const kept = await keptForms();
  expect(kept).toEqual([[expect.any(String), expect.any(Number)]]);
  for (const [, seconds] of kept) expect(seconds).toBeLessThanOrEqual(DAY_SECONDS);
});

it('a form of a page from yesterday is refused, with what was typed and a token that is good', async () => {
  const { browser } = await world.signedIn({ on });
  const old = await tokenFrom(own.redis, browser, FORM_LIVES_MS);
  const refused = await invite(browser, 'guest@salon.example', old);
  expect([refused.status, await invited(browser)]).toEqual([410, 0]);
  expect(refused.page).toContain(EXPIRED);
  expect(refused.page).toContain('value="guest@salon.example"');
  expect((await invite(browser, 'guest@salon.example', tokenOn(refused.page))).headers.location).toBe(SENT);
  // The latest that is taken, and only once.
  const late = await tokenFrom(own.redis, browser, FORM_LIVES_MS - 60_000);
  expect((await invite(browser, 'late@salon.example', late)).headers.location).toBe(SENT);
  expect((await invite(browser, 'late@salon.example', late)).headers.location).toBe(AGAIN);
});

it('a token’s time can’t be made up, nor be another session’s', async () => {
  const { browser } = await world.signedIn({ on });
  const { browser: other } = await world.signedIn({ on });
  const [version, , nonce, seal] = (await tokenFrom(own.redis, browser, FORM_LIVES_MS)).split('.');
  const forged = [version, Date.now().toString(36), nonce, seal].join('.');
  for (const token of [forged, 'f1.', 'f1.x', `${forged}x`, await tokenFrom(own.redis, other, 0)])
    expect((await invite(browser, 'guest@salon.example', token)).status).toBe(410);
  expect(await invited(browser)).toBe(0);
});

it('JSON says it by its code; without a form’s token it is taken as ever', async () => {
  const { browser } = await world.signedIn({ on });
  const email = 'guest@salon.example';
  const old = await tokenFrom(own.redis, browser, FORM_LIVES_MS);
  const refused = await browser.json('POST', INVITATIONS, { email, form_token: old });
  expect([refused.status, refused.body]).toEqual([
    410,
    expect.objectContaining({
      success: false,
      code: 'form_expired',
      message: expect.stringContaining(EXPIRED),
    }),
  ]);
  expect((await browser.json('POST', INVITATIONS, { email })).status).toBe(201);
  const named = { email: 'other@salon.example', form_token: 'a word of my own' };
  expect((await browser.json('POST', INVITATIONS, named)).status).toBe(201);
  expect(await keptForms()).toEqual([]);
});

it('429 after 2,000 forms of one session in 24 hours, until the first of them is forgotten', async () => {
  const { browser, tenantId } = await world.signedIn({ on });
  const session = { ...(await sessionOf(own.redis, browser)), tenantId };
  const forms = createFormTokens(own.redis);
  const take = (action: string) =>
    forms.take({ session, action, formToken: newFormToken(session.csrfSecret, Date.now()) });
  const racing = await Promise.all(Array.from({ length: MOST_FORMS + 50 }, (_, i) => take(`/${i}`)));
  expect(racing.filter(({ outcome }) => outcome === 'taken')).toHaveLength(MOST_FORMS);

  const email = 'guest@salon.example';
  const form_token = await tokenIn(browser, PEOPLE, INVITATIONS);
  const page = await invite(browser, email, form_token);
  expect([page.status, await invited(browser)]).toEqual([429, 0]);
  expect(page.page).toContain('Too many forms were sent in 24 hours. Please try again in 24 hours.');
  expect(page.page).toContain(`value="${email}"`);
  const json = await browser.json('POST', INVITATIONS, { email, form_token });
  expect([json.status, json.body.code]).toEqual([429, 'rate_limited']);
  for (const { headers } of [page, json]) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(DAY_SECONDS - 600);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(DAY_SECONDS);
  }
  const { browser: colleague } = await world.signedIn({ tenantId, on });
  const theirs = await tokenIn(colleague, PEOPLE, INVITATIONS);
  expect((await invite(colleague, email, theirs)).headers.location).toBe(SENT);

  // A day later for one of them.
  const key = `settings:forms:${hashOf(session.token)}`;
  expect(await own.redis.zcard(key)).toBe(MOST_FORMS);
  const [first = ''] = await own.redis.zrange(key, 0, 0);
  await own.redis.zadd(key, Date.now() - FORM_LIVES_MS, first);
  expect((await invite(browser, 'late@salon.example', form_token)).headers.location).toBe(SENT);
  expect(await own.redis.zcard(key)).toBe(MOST_FORMS);
});

it('a form sent to its address with another query is the same form', async () => {
  const { browser } = await world.signedIn({ on });
  const form_token = await tokenIn(browser, PEOPLE, INVITATIONS);
  const send = (i: number) =>
    browser.form(`${INVITATIONS}?x=${i}`, { email: `guest-${i}@salon.example`, form_token });
  expect((await send(0)).headers.location).toBe(SENT);
  for (const again of [1, 2, 3]) expect((await send(again)).headers.location).toBe(AGAIN);
  expect(await invited(browser)).toBe(1);
  expect(await own.redis.zcard((await keptForms())[0]?.[0] ?? '')).toBe(1);
});

it('429 after 10,000 forms of all sessions of a business in a UTC day; a refused form counts for nothing', () =>
  withinOneWindow(DAY_SECONDS, async () => {
    const { browser, tenantId } = await world.signedIn({ on });
    const { browser: colleague } = await world.signedIn({ on, tenantId });
    const { browser: neighbour } = await world.signedIn({ on });
    const key = `settings:forms-of:{${tenantId}}:${Math.floor(Date.now() / FORM_LIVES_MS)}`;
    await own.redis.set(key, MOST_FORMS_OF_TENANT - 1);
    const send = async (from: Browser, to: string) =>
      invite(from, to, await tokenIn(from, PEOPLE, INVITATIONS));
    for (let times = 0; times < 3; times += 1) expect((await send(browser, 'no address')).status).toBe(422);
    const together = await Promise.all([
      send(browser, 'one@salon.example'),
      send(colleague, 'two@salon.example'),
    ]);
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set([303, 429]));
    const refused = await send(colleague, 'three@salon.example');
    expect([refused.status, await invited(browser)]).toEqual([429, 1]);
    expect(refused.page).toMatch(
      /Too many forms were sent in 24 hours\. Please try again in \d+ (hours|minutes)/,
    );
    expect(refused.page).toContain('value="three@salon.example"');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(neighbour, 'guest@salon.example')).headers.location).toBe(SENT);
    expect(await own.redis.get(key)).toBe(String(MOST_FORMS_OF_TENANT));
    const left = await own.redis.pttl(key);
    expect([left > 0, left <= FORM_LIVES_MS]).toEqual([true, true]);
  }));

it('a form that is released after midnight UTC counts for nothing on the day of its use, and only there', async () => {
  const { browser, tenantId } = await world.signedIn({ on });
  const session = { ...(await sessionOf(own.redis, browser)), tenantId };
  const forms = createFormTokens(own.redis);
  const form = { session, action: '/x', formToken: newFormToken(session.csrfSecret, Date.now()) };
  const used = await forms.take(form);
  const day = used.outcome === 'taken' ? used.day : 0;
  const countOf = (of: number) => `settings:forms-of:{${tenantId}}:${of}`;
  expect(await own.redis.get(countOf(day))).toBe('1');
  // As if it had been used the day before.
  await own.redis.rename(countOf(day), countOf(day - 1));
  await own.redis.set(countOf(day), 5);
  await forms.release(form, day - 1);
  expect(await own.redis.mget(countOf(day - 1), countOf(day))).toEqual(['0', '5']);
});

describe('during an upgrade from 0.1.0', () => {
  const earlierKey = (browser: Browser, formToken: string) =>
    `settings:form:${hashOf(`${tokenOf(browser)} ${INVITATIONS} ${formToken}`)}`;
  const UNTIMED = '5a7b1c7e-7a53-4c8c-9d9e-1f2a3b4c5d6e';

  it('a page that an earlier process has drawn is taken, once, for 24 hours', async () => {
    await own.redis.del(SINCE);
    const { browser } = await world.signedIn({ on });
    const email = 'guest@salon.example';
    expect((await invite(browser, email, UNTIMED)).headers.location).toBe(SENT);
    expect((await invite(browser, email, UNTIMED)).headers.location).toBe(AGAIN);
    await own.redis.set(SINCE, Date.now() - FORM_LIVES_MS);
    const late = await invite(browser, 'late@salon.example', 'untimed');
    expect([late.status, late.page.includes(EXPIRED)]).toEqual([410, true]);
    expect((await invite(browser, email, UNTIMED)).headers.location).toBe(AGAIN);
  });

  it('a booking of such a page is taken for as long, from the first one on, and no later', async () => {
    await own.redis.del(SINCE);
    const { browser } = await world.signedIn({ on });
    const fields = { service_id: '1', date: '2030-01-07', time: '10:00', customer_id: '1' };
    const book = (form_token: string) => browser.form(BOOK, { ...fields, form_token });
    // There is no scheduling here: what is taken goes as far as that.
    const [first, since] = [await book(UNTIMED), Number(await own.redis.get(SINCE))];
    expect(first.status).toBe(503);
    expect(Date.now() - since).toBeLessThan(60_000);
    expect((await book(UNTIMED)).status).toBe(503);
    expect(Number(await own.redis.get(SINCE))).toBe(since);
    // Shortly before scheduling forgets what came of the first one.
    await own.redis.set(SINCE, Date.now() - FORM_LIVES_MS + 60_000);
    const late = await book(UNTIMED);
    expect([late.status, late.page.includes(EXPIRED)]).toEqual([410, true]);
    const named = await browser.json('POST', BOOK, { ...fields, form_token: 'a word of my own' });
    expect(named.status).toBe(503);
  });

  it('what an earlier process has taken is taken, and the other way round', async () => {
    await own.redis.del(SINCE);
    const { browser } = await world.signedIn({ on });
    await own.redis.set(earlierKey(browser, UNTIMED), '1', 'EX', 7 * DAY_SECONDS, 'NX');
    expect((await invite(browser, 'guest@salon.example', UNTIMED)).headers.location).toBe(AGAIN);
    const token = await tokenIn(browser, PEOPLE, INVITATIONS);
    expect((await invite(browser, 'guest@salon.example', token)).headers.location).toBe(SENT);
    expect(await own.redis.set(earlierKey(browser, token), '1', 'EX', 7 * DAY_SECONDS, 'NX')).toBeNull();
    // A refusal is forgotten on both sides.
    const refused = await tokenIn(browser, PEOPLE, INVITATIONS);
    expect((await invite(browser, 'no address', refused)).status).toBe(422);
    expect(await own.redis.exists(earlierKey(browser, refused))).toBe(0);
  });
});

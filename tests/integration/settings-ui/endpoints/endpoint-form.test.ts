import { ENDPOINT_SCOPES } from '@frontdesk/contracts';
import { Redis } from 'ioredis';
import { engines, eventually, type Receiver, startReceiver } from '../../../support/index.ts';
import { fieldsOf } from '../form-fields.ts';
import { adminWithEndpoint } from '../hooks-of.ts';
import type { Browser } from '../inject-browser.ts';
import { confirmedAgo } from '../session-of.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const API = '/settings/api';
const WEBHOOKS = `${API}/webhooks`;
const SECRET = 's3cret-of-the-proxy';

let world: SettingsWorld;
let receiver: Receiver;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(async () => {
  [world, receiver] = await Promise.all([startSettingsWorld(), startReceiver()]);
});
beforeEach(() => {
  receiver.requests.length = 0;
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
  await receiver.close();
});

/** The form that adds an endpoint as it is drawn, with a URL. */
const drawn = async (browser: Browser) => ({
  ...fieldsOf((await browser.html(API)).page, 'add-endpoint'),
  url: receiver.url,
});
const endpoints = async (browser: Browser) => (await browser.json('GET', API)).body.data.webhooks;
const headersOf = async (browser: Browser, path: string): Promise<string[]> =>
  (await browser.json('GET', path)).body.data.headers;
/** The headers of a test event. */
async function sentWith(browser: Browser, path: string) {
  receiver.requests.length = 0;
  await browser.form(`${path}/test`, {});
  return eventually(async () => {
    expect(receiver.requests).toHaveLength(1);
    return receiver.requests[0]?.headers ?? {};
  });
}
/** What stands beside a field as its error. */
const errorAt = (page: string, id: string) =>
  page.split(`id="${id}-error">`)[1]?.split('</p>')[0] ?? 'no error';

describe('what its events may show', () => {
  it('is all that the person has, unless boxes are unticked, and stands on the endpoint’s page', async () => {
    const { browser } = await world.signedIn();
    const fields = await drawn(browser);
    expect(fields).toMatchObject({ is_form: ['true'], scopes: ENDPOINT_SCOPES });
    const scopes = ['calls:read'];
    const added = await browser.form(WEBHOOKS, { ...fields, events: 'call.ended', scopes });
    expect(added.status).toBe(201);
    const [endpoint] = await endpoints(browser);
    expect(endpoint).toMatchObject({ scopes, events: ['call.ended'] });
    const { page } = await browser.html(`${WEBHOOKS}/${endpoint.id}`);
    const shown = page.split('Data in its events</dt>')[1]?.split('</dd>')[0];
    expect(shown).toContain('See calls, without transcript, summary and recording.');
    expect(shown).not.toContain('calls:transcripts');
  });

  it('422 where nothing is ticked, and where an event needs more than is', async () => {
    const { browser } = await world.signedIn();
    const fields = await drawn(browser);
    const none = await browser.form(WEBHOOKS, { ...fields, events: 'call.ended', scopes: [] });
    expect([none.status, errorAt(none.page, 'endpoint-scopes')]).toEqual([422, 'Choose at least one.']);
    expect(fieldsOf(none.page, 'add-endpoint')).not.toHaveProperty('scopes');
    const events = ['call.ended', 'customer.created'];
    const closed = await browser.form(WEBHOOKS, { ...fields, events, scopes: 'calls:read' });
    expect([closed.status, errorAt(closed.page, 'events')]).toEqual([
      422,
      'One of these events needs “See customers”, which this endpoint doesn’t have.',
    ]);
    expect(fieldsOf(closed.page, 'add-endpoint')).toMatchObject({ events, scopes: ['calls:read'] });
    expect(await endpoints(browser)).toEqual([]);
  });

  it('on an endpoint that is there, an event that needs more is refused at its field', async () => {
    const { browser } = await world.signedIn();
    const body = { url: receiver.url, events: ['call.ended'], scopes: ['calls:read'] };
    const { id } = (await browser.json('POST', WEBHOOKS, body)).body.data;
    const fields = fieldsOf((await browser.html(`${WEBHOOKS}/${id}`)).page, 'change-endpoint');
    const events = ['customer.created'];
    const { status, page } = await browser.form(`${WEBHOOKS}/${id}`, { ...fields, events });
    expect([status, errorAt(page, 'events')]).toEqual([422, expect.stringContaining('“See customers”')]);
  });
});

describe('headers of its own', () => {
  it('are typed one on each line, and go with its deliveries', async () => {
    const { browser } = await world.signedIn();
    const headers = `Authorization: Bearer ${SECRET}\r\nX-Team: front: desk\r\n`;
    const fields = { ...(await drawn(browser)), events: 'call.ended', headers };
    const added = await browser.form(WEBHOOKS, fields);
    expect(added.status).toBe(201);
    const [{ id }] = await endpoints(browser);
    const path = `${WEBHOOKS}/${id}`;
    expect(await sentWith(browser, path)).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'x-team': 'front: desk',
    });
    for (const address of [API, path, '/settings/audit'])
      expect((await browser.html(address)).page).not.toContain(SECRET);
    expect(added.page).not.toContain(SECRET);
  });

  it('are added, replaced and removed by the form of the endpoint, which leaves the others', async () => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    const form = async (fields: Record<string, string | string[]>) => {
      const answer = await browser.form(path, {
        ...fieldsOf((await browser.html(path)).page, 'change-endpoint'),
        ...fields,
      });
      expect(answer.status).toBe(303);
    };
    await form({ headers: 'X-Team: a\nX-Desk: b\nX-Old: c' });
    expect((await browser.html(path)).page).toContain('sent with each delivery: x-team, x-desk, x-old.');
    await form({ headers: 'X-Team: d\nX-New: e', removed_headers: ['x-old'] });
    const sent = await sentWith(browser, path);
    expect(sent).toMatchObject({ 'x-team': 'd', 'x-desk': 'b', 'x-new': 'e' });
    expect(sent).not.toHaveProperty('x-old');
    const { headers, updated_at } = (await browser.json('GET', path)).body.data;
    await form({});
    expect((await browser.json('GET', path)).body.data).toMatchObject({ headers, updated_at });
    await form({ removed_headers: ['x-new', 'x-desk', 'x-team'] });
    expect(await headersOf(browser, path)).toEqual([]);
  });

  it('of another URL are those that are typed with it', async () => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    await browser.json('PATCH', path, { headers: { 'X-Team': SECRET } });
    const url = `${receiver.url}/moved`;
    const fields = fieldsOf((await browser.html(path)).page, 'change-endpoint');
    await browser.form(path, { ...fields, url, headers: 'X-New: b', removed_headers: 'x-team' });
    expect(await headersOf(browser, path)).toEqual(['x-new']);
  });

  it.each([
    ['add', 'No colon here', 'Line 1: Enter a name, a colon and a value'],
    ['add', 'X-A: a\r\n\r\nHost: example.com', 'Line 3: Frontdesk sets this header itself.'],
    ['change', 'X-A: a\r\nx-a: b', 'Line 2: Enter each header once.'],
    ['change', Array.from({ length: 11 }, (_, index) => `X-${index}: a`).join('\r\n'), 'Use at most 10.'],
  ])('422: the form to %s says at its field what is wrong with lines', async (form, headers, words) => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    const [url, page] = form === 'add' ? [WEBHOOKS, API] : [path, path];
    const fields = fieldsOf((await browser.html(page)).page, `${form}-endpoint`);
    const refused = await browser.form(url, { ...fields, url: receiver.url, events: 'call.ended', headers });
    expect([refused.status, errorAt(refused.page, 'headers')]).toEqual([422, expect.stringContaining(words)]);
    expect(await headersOf(browser, path)).toEqual([]);
  });

  it('422 at its field also where there are too many with those of before', async () => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    const headers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'a']));
    await browser.json('PATCH', path, { headers });
    const fields = fieldsOf((await browser.html(path)).page, 'change-endpoint');
    const { status, page } = await browser.form(path, { ...fields, headers: 'X-More: a' });
    expect([status, errorAt(page, 'headers')]).toEqual([422, 'Use at most 10.']);
  });

  it('what was typed comes back where something else was refused, to who sent it alone', async () => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    await browser.json('PATCH', path, { headers: { 'X-Old': 'a' } });
    const headers = `X-Team: ${SECRET}`;
    const fields = { is_form: 'true', url: 'ftp://typed.example', events: 'call.ended', headers };
    for (const [url, form, own] of [
      [WEBHOOKS, 'add-endpoint', { scopes: 'calls:read' }],
      [path, 'change-endpoint', { removed_headers: 'x-old' }],
    ] as const) {
      const refused = await browser.form(url, { ...fields, ...own });
      expect([refused.status, refused.headers['cache-control']]).toEqual([422, 'no-store']);
      expect(fieldsOf(refused.page, form)).toMatchObject({ headers: [headers] });
    }
    const { page } = await browser.form(path, { ...fields, removed_headers: 'x-old' });
    expect(fieldsOf(page, 'change-endpoint')).toMatchObject({ removed_headers: ['x-old'] });
    for (const address of [API, path, '/settings/audit'])
      expect((await browser.html(address)).page).not.toContain(SECRET);
    const { body } = await browser.json('POST', WEBHOOKS, { ...fields, scopes: ['calls:read'] });
    expect(Object.keys(body.errors)).toEqual(['url']);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('survive the question for the password as they were typed', async () => {
    const { browser, path } = await adminWithEndpoint(world, receiver);
    const fields = fieldsOf((await browser.html(path)).page, 'change-endpoint');
    await confirmedAgo(redis, browser, 11);
    const headers = 'X-A: "a" & <b>\r\n\r\nX-B: b';
    const asked = await browser.form(path, { ...fields, headers });
    expect(asked.status).toBe(403);
    const kept = fieldsOf(asked.page, 'confirm');
    expect((await browser.form(path, { ...kept, _password: PASSWORD })).status).toBe(303);
    expect(await sentWith(browser, path)).toMatchObject({ 'x-a': '"a" & <b>', 'x-b': 'b' });
  });
});

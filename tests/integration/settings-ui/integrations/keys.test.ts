import { ALL_KEY_SCOPES, KEY_PRESETS, type MemberRole, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { bearer, get, operator } from '../../gateway/gateway-world.ts';
import { choicesOf, fieldsOf, tokenIn } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const KEYS = '/settings/api/keys';
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString();

const giveRole = tenantSql<never, { email: string; role: MemberRole }>(
  'test_give_role',
  `update memberships m set role = $role from accounts a
   where m.tenant_id = $tenantId and a.id = m.account_id and a.email = $email`,
);

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

async function signedInAs(role: MemberRole) {
  const signedIn = await world.signedIn();
  await world.database.forTenant(signedIn.tenantId).run(giveRole, { email: signedIn.email, role });
  return signedIn;
}

const made = async (browser: Browser, fields: object = {}) => {
  const { status, body } = await browser.json('POST', KEYS, { name: 'Website', ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data as { id: number; key: string; scopes: string[]; last_four: string };
};
const record = async (browser: Browser, id: number) => (await browser.json('GET', `${KEYS}/${id}`)).body.data;
const statusWith = async (key: string, from?: string) =>
  (await get(world.gateway, '/api/v1/staff', { ...bearer(key), ...(from && { 'x-forwarded-for': from }) }))
    .status;
const FORM = { is_form: 'true', shown_timezone: 'Europe/Berlin', expires_at: '', networks: '' };

describe('a new key', () => {
  it('may do what its preset or its scopes say, or what keys could before there were any', async () => {
    const { browser } = await world.signedIn();
    expect((await made(browser)).scopes).toEqual(SCOPES_OF_EARLIER_KEYS);
    expect((await made(browser, { preset: 'everything' })).scopes).toEqual(ALL_KEY_SCOPES);
    expect((await made(browser, { preset: 'mirror' })).scopes.toSorted()).toEqual(
      KEY_PRESETS.mirror.scopes.toSorted(),
    );
    expect((await made(browser, { scopes: ['staff:read'] })).scopes).toEqual(['staff:read']);
  });

  it('ends when it should, and works from where it may', async () => {
    const { browser } = await world.signedIn();
    const expires_at = IN_AN_HOUR();
    const { id, key } = await made(browser, { expires_at, networks: ['203.0.113.0/24'] });
    expect(await record(browser, id)).toMatchObject({ id, expires_at, networks: ['203.0.113.0/24'] });
    expect([await statusWith(key, '203.0.113.9'), await statusWith(key, '198.51.100.9')]).toEqual([200, 403]);
  });

  it('of a form ends with its last day on the business’s clocks', async () => {
    const { browser } = await world.signedIn();
    const fields = { ...FORM, name: 'Website', preset: 'own', scopes: ['staff:read', 'services:read'] };
    const form_token = await tokenIn(browser, '/settings/api', KEYS);
    const more = { expires_at: '2099-06-01', networks: '203.0.113.7\r\n2001:db8::/32', form_token };
    const answer = await browser.form(KEYS, { ...fields, ...more });
    expect(answer.status).toBe(201);
    expect(answer.page).toContain('is ready.');
    const { keys } = (await browser.json('GET', '/settings/api')).body.data;
    expect(keys).toMatchObject([
      {
        scopes: ['staff:read', 'services:read'],
        expires_at: '2099-06-01T21:59:59.000Z',
        networks: ['203.0.113.7', '2001:db8::/32'],
      },
    ]);
    expect(answer.page).toContain('Expires on 1 Jun 2099');
  });

  it('gives nothing that its maker does not have: the form does not offer it, and it is refused', async () => {
    const { browser } = await signedInAs('developer');
    const { page } = await browser.html('/settings/api');
    expect(page).toContain('value="webhooks:write"');
    expect(page).not.toContain('value="customers:erase"');
    expect(page).not.toContain('value="everything"');
    for (const fields of [{ preset: 'everything' }, { scopes: ['customers:erase'] }]) {
      const { status, body } = await browser.json('POST', KEYS, { name: 'X', ...fields });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
    const { id } = await made(browser, { scopes: ['staff:read'] });
    const wider = await browser.json('POST', `${KEYS}/${id}`, { scopes: ['staff:read', 'customers:erase'] });
    expect(wider.status).toBe(403);
    expect((await record(browser, id)).scopes).toEqual(['staff:read']);
  });

  it('403 without settings:keys', async () => {
    const { browser } = await signedInAs('manager');
    expect((await browser.html('/settings/api')).status).toBe(403);
    expect((await browser.json('POST', KEYS, { name: 'X' })).status).toBe(403);
    expect((await browser.json('GET', `${KEYS}/1`)).status).toBe(403);
  });

  it.each([
    ['preset', 'all'],
    ['preset', 7],
    ['preset', null],
    ['scopes', []],
    ['scopes', ['settings:keys']],
    ['scopes', 'staff:read'],
    ['scopes', { staff: true }],
    ['expires_at', '2020-01-01T00:00:00Z'],
    ['expires_at', '2099-01-01'],
    ['expires_at', 4_102_444_800],
    ['networks', '10.0.0.0/8'],
    ['networks', ['10.0.0.0/33']],
    ['networks', [[]]],
  ])('422: %s can’t be %j, and the answer has words for people', async (field, value) => {
    const { browser } = await world.signedIn();
    const { status, body } = await browser.json('POST', KEYS, { name: 'X', [field]: value });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(Object.keys(body.errors)[0]).toMatch(new RegExp(`^${field}`));
    expect(body.words).not.toMatch(/^The \w+ field|_/);
  });

  it('a refused form says in words what is wrong, and keeps what was entered', async () => {
    const { browser } = await world.signedIn();
    const fields = {
      ...FORM,
      name: 'Till',
      preset: 'own',
      expires_at: '2020-01-01',
      networks: 'example.com',
    };
    const { status, page } = await browser.form(KEYS, fields);
    expect(status).toBe(422);
    for (const words of [
      'Choose at least one.',
      'Choose a date in the future.',
      'Enter IP addresses or networks',
    ])
      expect(page).toContain(words);
    expect(page).toContain('value="Till"');
    expect(page).toContain('>example.com</textarea>');
    const { page: without } = await browser.form(KEYS, { ...FORM, name: 'Till' });
    expect(without).toContain('Choose one.');
  });
});

describe('the page of a key', () => {
  it('says what it may do, until when, from where, and how often it was used', async () => {
    const { browser } = await world.signedIn();
    const { id, key, last_four } = await made(browser, {
      scopes: ['staff:read'],
      expires_at: '2099-06-01T10:00:00Z',
      networks: ['203.0.113.0/24'],
    });
    expect((await browser.html(`${KEYS}/${id}`)).page).toContain('No requests in the last 30 days.');
    for (let asked = 0; asked < 3; asked += 1) await statusWith(key, '203.0.113.9');
    const { status, page } = await browser.html(`${KEYS}/${id}`);
    expect(status).toBe(200);
    for (const words of [
      'See staff members, when they have appointments and when they are free.',
      '1 Jun 2099, 12:00',
      '203.0.113.0/24',
      `fd_live_…${last_four}`,
    ])
      expect(page).toContain(words);
    expect(page).toMatch(/<strong>3<\/strong> <span>requests in 30 days/);
    expect(page).not.toContain(key);
  });

  it('changes it for the next request; who did that stands in the audit log', async () => {
    const { browser } = await world.signedIn();
    const { id, key } = await made(browser, { preset: 'everything' });
    const change = { name: 'Till', scopes: ['services:read'], networks: null, expires_at: null };
    const answer = await browser.json('POST', `${KEYS}/${id}`, change);
    expect([answer.status, answer.body.data]).toMatchObject([200, { id, ...change }]);
    expect(await statusWith(key)).toBe(200);
    const { page } = await browser.html('/settings/audit');
    expect(page).toMatch(/Changed an API key[\s\S]*Website \(…\w{4}\) → Till/);
  });

  it('its form changes all of it, and its expiry only where another date is entered', async () => {
    const { browser } = await world.signedIn();
    const expires_at = '2099-06-01T10:20:30.000Z';
    const { id } = await made(browser, { scopes: ['staff:read', 'customers:read'], expires_at });
    const path = `${KEYS}/${id}`;
    const drawn = fieldsOf((await browser.html(path)).page, 'change-key');
    expect(drawn).toMatchObject({
      name: ['Website'],
      expires_at: ['2099-06-01'],
      shown_expires_at: [expires_at],
    });
    const saved = await browser.form(path, { ...drawn, scopes: ['staff:read'], networks: '203.0.113.7' });
    expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=key-changed`]);
    expect(await record(browser, id)).toMatchObject({
      scopes: ['staff:read'],
      networks: ['203.0.113.7'],
      expires_at,
    });
    const redrawn = fieldsOf((await browser.html(path)).page, 'change-key');
    await browser.form(path, { ...redrawn, expires_at: '' });
    expect(await record(browser, id)).toMatchObject({ expires_at: null });
    const refused = await browser.form(path, { ...FORM, name: ' ' });
    expect(refused.status).toBe(422);
    expect(refused.page).toContain('Choose at least one.');
  });

  it('two who change it at once: the later one gets 412, and both changes merged to save again', async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: other } = await world.signedIn({ tenantId });
    const { id } = await made(browser, { scopes: ['staff:read', 'services:read'] });
    const path = `${KEYS}/${id}`;
    const drawn = fieldsOf((await browser.html(path)).page, 'change-key');
    const theirs = fieldsOf((await other.html(path)).page, 'change-key');
    const first = { name: 'Till', scopes: ['staff:read', 'calls:read'], expires_at: '2099-06-01' };
    expect((await other.form(path, { ...theirs, ...first })).status).toBe(303);
    const second = { scopes: ['staff:read', 'services:read', 'events:read'], networks: '203.0.113.7\r\n::1' };
    const late = await browser.form(path, { ...drawn, ...second });
    expect(late.status).toBe(412);
    expect(late.page).toContain('Their changes are filled in below along with yours.');
    expect(await record(browser, id)).toMatchObject({ name: 'Till', networks: null });
    const merged = fieldsOf(late.page, 'change-key');
    expect(merged).toMatchObject({ name: ['Till'], expires_at: ['2099-06-01'], version: ['"2"'] });
    expect((await browser.form(path, merged)).status).toBe(303);
    expect(await record(browser, id)).toMatchObject({
      name: 'Till',
      scopes: ['calls:read', 'staff:read', 'events:read'],
      expires_at: '2099-06-01T21:59:59.000Z',
      networks: ['203.0.113.7', '::1'],
    });
  });

  it('where both changed the same, the later one chooses, and nothing that was typed is lost', async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: other } = await world.signedIn({ tenantId });
    const { id } = await made(browser, { networks: ['203.0.113.1'] });
    const path = `${KEYS}/${id}`;
    const drawn = fieldsOf((await browser.html(path)).page, 'change-key');
    const change = { name: 'Theirs', expires_at: '2099-06-01', networks: '203.0.113.2' };
    await other.form(path, { ...drawn, ...change });
    const mine = { name: 'Mine', expires_at: '2099-07-01', networks: '203.0.113.3\r\n203.0.113.4' };
    const late = await browser.form(path, { ...drawn, ...mine });
    expect(late.status).toBe(412);
    expect(choicesOf(late.page, 'name')).toEqual(['Mine', 'Theirs']);
    expect(choicesOf(late.page, 'expires_at')).toEqual(['2099-07-01', '2099-06-01']);
    const [networks = ''] = choicesOf(late.page, 'networks');
    const again = { ...fieldsOf(late.page, 'change-key'), name: 'Mine', expires_at: '2099-06-01', networks };
    expect((await browser.form(path, again)).status).toBe(303);
    expect(await record(browser, id)).toMatchObject({
      name: 'Mine',
      expires_at: '2099-06-01T21:59:59.000Z',
      networks: ['203.0.113.3', '203.0.113.4'],
    });
  });

  it('a program may say which version it has seen: 412 where there is another by now', async () => {
    const { browser } = await world.signedIn();
    const { id } = await made(browser);
    const path = `${KEYS}/${id}`;
    const version = String((await browser.json('GET', path)).headers.etag);
    expect((await browser.json('POST', path, { name: 'A', version })).status).toBe(200);
    const late = await browser.json('POST', path, { name: 'B', version });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await browser.json('POST', path, { name: 'B', version: 'no tag' })).status).toBe(412);
    expect((await browser.json('POST', path, { name: 'B', version: 7 })).status).toBe(422);
    expect((await browser.json('POST', path, { name: 'C' })).body.data.name).toBe('C');
  });

  it('replaces it: the new one is shown once, and the old one ends when it was said', async () => {
    const { browser, email } = await world.signedIn();
    const old = await made(browser, { scopes: ['staff:read'] });
    const path = `${KEYS}/${old.id}`;
    const { page } = await browser.html(path);
    expect(page).toContain('Replace the key');
    const form_token = await tokenIn(browser, path, `${path}/roll`);
    const rolled = await browser.form(`${path}/roll`, { hours: '1', form_token });
    expect(rolled.status).toBe(201);
    const [key = ''] = /fd_live_\w{38}/.exec(rolled.page) ?? [];
    expect([await statusWith(key), await statusWith(old.key)]).toEqual([200, 200]);
    // Sent again, by a reload, it makes no other one.
    const again = await browser.form(`${path}/roll`, { hours: '1', form_token });
    expect([again.status, again.headers.location]).toEqual([303, `${path}?done=key-already-replaced`]);
    const { expires_at, rolled_to } = await record(browser, old.id);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 3_600_000)).toBeLessThan(600_000);
    const after = (await browser.html(path)).page;
    expect(after).toContain(`href="${KEYS}/${rolled_to}"`);
    expect(after).not.toContain('Replace the key');
    expect((await browser.html('/settings/api')).page).toContain('Replaced');
    const refused = await browser.json('POST', `${path}/roll`, { hours: 1 });
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed']);
    const told = await world.mail.waitFor(
      email,
      ({ subject, text }) => subject.includes('API key') && text.includes(key.slice(-4)),
    );
    expect(told.text).toContain(email);
    expect((await browser.html('/settings/audit')).page).toContain('Replaced an API key');
  });

  it('replaced at once, the old one is refused from then on', async () => {
    const { browser } = await world.signedIn();
    const old = await made(browser);
    const rolled = await browser.json('POST', `${KEYS}/${old.id}/roll`, { hours: 0 });
    expect(rolled.status).toBe(201);
    expect([await statusWith(rolled.body.data.key), await statusWith(old.key)]).toEqual([200, 401]);
  });

  it.each([[undefined], [-1], [169], [1.5], ['soon'], [null], [[]]])(
    '422: the hours can’t be %j',
    async (hours) => {
      const { browser } = await world.signedIn();
      const { id } = await made(browser);
      const { status, body } = await browser.json('POST', `${KEYS}/${id}/roll`, { hours });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['hours']]);
    },
  );

  it('403 for a role that lacks one of its scopes', async () => {
    const { browser, tenantId } = await signedInAs('developer');
    const path = `/internal/tenants/${tenantId}/keys`;
    const wide = { name: 'Wide', scopes: ['staff:read', 'customers:erase'] };
    const { id } = (await world.gatewayWorld.internal(world.gateway, operator, 'POST', path, wide)).body.data;
    const { page } = await browser.html(`${KEYS}/${id}`);
    expect(page).toContain('Ask an owner.');
    expect((await browser.json('POST', `${KEYS}/${id}/roll`, { hours: 1 })).status).toBe(403);
    // It can be made narrower all the same.
    expect((await browser.json('POST', `${KEYS}/${id}`, { scopes: ['staff:read'] })).status).toBe(200);
  });

  it('shows a revoked key without what can’t be done with it any more', async () => {
    const { browser } = await world.signedIn();
    const { id } = await made(browser);
    expect((await browser.json('POST', `${KEYS}/${id}/revoke`, {})).status).toBe(200);
    const { page } = await browser.html(`${KEYS}/${id}`);
    expect(page).toContain('Revoked');
    for (const gone of ['Change the key', 'Replace the key', 'Revoke key']) expect(page).not.toContain(gone);
    expect((await browser.json('POST', `${KEYS}/${id}`, { name: 'X' })).status).toBe(404);
  });
});

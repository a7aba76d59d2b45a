import { PLAN_QUOTAS } from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY, PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const moveAccount = systemSql<never, { from: string; to: string }>(
  'test_move_account',
  'update accounts set email = $to, email_folded = $to where email = $from',
);
const makeDue = tenantSql<never>(
  'test_make_emails_due',
  'update emails set due_at = now() where tenant_id = $tenantId and sent_at is null',
);
const waiting = tenantSql<{ kind: string }>(
  'test_waiting_emails',
  'select kind from emails where tenant_id = $tenantId and sent_at is null',
);

const refuseKind = (kind: string) =>
  `alter table emails add constraint refused check (kind <> '${kind}') not valid`;

const KEYS = '/settings/api/keys';
const isAsked = ({ subject }: { subject: string }) => subject.includes('may have been created');

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld({ collects: true });
});
afterAll(() => world.stop());

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('a sign-in', () => {
  const isNew = ({ subject }: { subject: string }) =>
    subject.includes('new sign-in') || subject.startsWith('New sign-in');
  const signIn = async (email: string, browser = world.browser()) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': WINDOWS };
    const body = JSON.stringify({ email, password: PASSWORD });
    expect((await browser.send('POST', '/settings/sign-in', headers, body)).statusCode).toBe(200);
    return browser;
  };

  it('with a browser that was not used before is told to its owner; the first of all, and a known browser, are not', async () => {
    const { email } = await world.newAdmin();
    const known = await signIn(email);
    await signIn(email, known);
    const other = await world.newAdmin();
    await signIn(other.email);
    await signIn(other.email);
    // The second account’s email comes after the first one’s would have.
    await world.mail.waitFor(other.email, isNew);
    expect(world.mail.to(email).filter(isNew)).toEqual([]);
    await signIn(email);
    const told = await world.mail.waitFor(email, isNew);
    expect(told.text).toContain('Chrome on Windows');
    expect(told.text).toMatch(/10\.\d+\.\d+\.0\/24/);
  });
});

describe('a new API key', () => {
  const isKey = ({ subject }: { subject: string }) => subject.startsWith('New API key');

  it('is told to owners and developers, with who made it', async () => {
    const { tenantId, browser, email } = await world.signedIn();
    const colleague = await world.newAdmin(tenantId, 'developer');
    const others = [await world.newAdmin(tenantId, 'manager'), await world.newAdmin(tenantId, 'viewer')];
    expect((await browser.json('POST', '/settings/api/keys', { name: 'Website' })).status).toBe(201);
    for (const each of [email, colleague.email]) {
      const told = await world.mail.waitFor(each, isKey);
      expect(told.text).toContain('Website');
      expect(told.text).toContain(email);
    }
    await eventually(async () => expect(await world.database.forTenant(tenantId).many(waiting)).toEqual([]));
    for (const other of others) expect(world.mail.to(other.email)).toEqual([]);
  });

  it('is told to nobody whose role has changed before it is sent', async () => {
    const { tenantId, browser, email } = await world.signedIn();
    const demoted = await world.newAdmin(tenantId, 'developer');
    const makeKey = async (name: string) =>
      expect((await browser.json('POST', '/settings/api/keys', { name })).status).toBe(201);
    await makeKey('First');
    for (const each of [email, demoted.email]) await world.mail.waitFor(each, isKey);
    await makeKey('Second');
    const { admins } = (await browser.json('GET', '/settings/people')).body.data;
    const { id } = admins.find((one: { email: string }) => one.email === demoted.email);
    const { status } = await browser.json('POST', `/settings/people/${id}/role`, { role: 'viewer' });
    expect(status).toBe(200);
    await world.database.forTenant(tenantId).run(makeDue);
    await world.mail.waitFor(email, ({ text }) => text.includes('Second'));
    await eventually(async () => expect(await world.database.forTenant(tenantId).many(waiting)).toEqual([]));
    expect(world.mail.to(demoted.email).filter(isKey)).toHaveLength(1);
  });

  it('is told to who is a member when it is sent, by the address that they have then', async () => {
    const { tenantId, browser } = await world.signedIn();
    const [gone, moved] = [await world.newAdmin(tenantId), await world.newAdmin(tenantId)];
    const makeKey = async (name: string) =>
      expect((await browser.json('POST', '/settings/api/keys', { name })).status).toBe(201);
    await makeKey('First');
    for (const { email } of [gone, moved]) await world.mail.waitFor(email, isKey);
    await makeKey('Second');
    const { admins } = (await browser.json('GET', '/settings/people')).body.data;
    const { id } = admins.find(({ email }: { email: string }) => email === gone.email);
    expect((await browser.json('DELETE', `/settings/people/${id}`)).status).toBe(200);
    const next = `next-${moved.email}`;
    await world.database.system.run(moveAccount, { from: moved.email, to: next });
    await world.database.forTenant(tenantId).run(makeDue);
    expect((await world.mail.waitFor(next, isKey)).text).toContain(next);
    await eventually(async () => expect(await world.database.forTenant(tenantId).many(waiting)).toEqual([]));
    expect(world.mail.to(gone.email).filter(isKey)).toHaveLength(1);
    expect(world.mail.to(moved.email).filter(isKey)).toHaveLength(1);
  });

  describe('that isn’t made as it should', () => {
    /** No email of the kind can be written meanwhile, as of a database that has no room. */
    const without = async <Result>(kind: string, work: () => Promise<Result>) => {
      const { system } = world.database;
      await system.run(systemSql<never>(`test_refuse_${kind}`, refuseKind(kind)));
      try {
        return await work();
      } finally {
        await system.run(systemSql<never>(`test_take_${kind}`, 'alter table emails drop constraint refused'));
      }
    };
    const keysOf = async (browser: Browser) =>
      (await browser.json('GET', KEYS.replace('/keys', ''))).body.data.keys;

    it('is none where nobody can be told of it', async () => {
      const { browser, email } = await world.signedIn();
      const { status } = await without('key_asked', () => browser.json('POST', KEYS, { name: 'Silent' }));
      expect(status).toBeGreaterThanOrEqual(500);
      expect(await keysOf(browser)).toEqual([]);
      expect(world.mail.to(email)).toEqual([]);
    });

    it('is told a minute later where the process ends, or can’t write, in between; who made it gets it', async () => {
      const { browser, email, tenantId } = await world.signedIn();
      const { status, body } = await without('new_key', () =>
        browser.json('POST', KEYS, { name: 'Website' }),
      );
      expect([status, body.data.key]).toEqual([201, expect.any(String)]);
      await world.database.forTenant(tenantId).run(makeDue);
      const told = await world.mail.waitFor(email, isAsked);
      expect(told.text).toContain('Website');
      expect(told.text).toContain('We don’t know whether it was created.');
    });
  });

  it('is told too where an operator makes it', async () => {
    const { tenantId, email } = await world.newAdmin();
    const path = `/internal/tenants/${tenantId}/keys`;
    const made = await world.gatewayWorld.internal(world.gateway, operator, 'POST', path, { name: 'Import' });
    expect(made.status).toBe(201);
    const told = await world.mail.waitFor(email, isKey);
    expect(told.text).toContain('Operator');
  });
});

it('whom an operator adds is told to those who have access, not to who is added first', async () => {
  const { tenantId, email } = await world.newAdmin();
  const added = await world.newAdmin(tenantId);
  const told = await world.mail.waitFor(email, ({ subject }) => subject.includes('has joined'));
  expect(told.text).toContain(added.email);
  expect(world.mail.to(added.email)).toEqual([]);
});

it('a changed password is told to its owner', async () => {
  const { email, browser } = await world.signedIn();
  const change = { current_password: PASSWORD, new_password: 'four quiet herons' };
  expect((await browser.json('POST', '/settings/account/password', change)).status).toBe(200);
  await world.mail.waitFor(email, ({ subject }) => subject.includes('was changed'));
});

// The last: its process can write no email.
it('an API key is told of at once where the gateway does not answer, and not at all where it refuses', async () => {
  const starter = await world.gatewayWorld.newTenant(world.gateway, { plan: 'starter' });
  const { browser, email, tenantId } = await world.signedIn({ tenantId: starter });
  const make = async () => (await browser.json('POST', KEYS, { name: 'Refused' })).status;
  for (let made = 0; made < PLAN_QUOTAS.starter.api_keys; made += 1) expect(await make()).toBe(201);
  expect(await make()).toBe(422);
  const left = await world.database.forTenant(tenantId).many(waiting);
  expect(left.filter(({ kind }) => kind === 'key_asked')).toEqual([]);
  const away = await world.startSettings({ GATEWAY_INTERNAL_URL: NOBODY });
  const there = await world.signedIn({ tenantId, on: away });
  expect((await there.browser.json('POST', KEYS, { name: 'Unknown' })).status).toBe(503);
  expect((await world.mail.waitFor(email, isAsked)).text).toContain('Unknown');
  expect(world.mail.to(email).filter((mail) => isAsked(mail) && mail.text.includes('Refused'))).toEqual([]);
});

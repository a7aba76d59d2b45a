import { systemSql, tenantSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const moveAccount = systemSql<never, { from: string; to: string }>(
  'test_move_account',
  'update accounts set email = $to, email_folded = $to where email = $from',
);
const makeDue = tenantSql<never>(
  'test_make_emails_due',
  'update emails set due_at = now() where tenant_id = $tenantId and sent_at is null',
);
const waiting = tenantSql<{ recipient: string }>(
  'test_waiting_emails',
  'select recipient from emails where tenant_id = $tenantId and sent_at is null',
);

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

  it('is told to all members, with who made it', async () => {
    const { tenantId, browser, email } = await world.signedIn();
    const colleague = await world.newAdmin(tenantId);
    expect((await browser.json('POST', '/settings/api/keys', { name: 'Website' })).status).toBe(201);
    for (const each of [email, colleague.email]) {
      const told = await world.mail.waitFor(each, isKey);
      expect(told.text).toContain('Website');
      expect(told.text).toContain(email);
    }
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

import { randomUUID } from 'node:crypto';
import { migrate } from '@frontdesk/database';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { hashToken } from '../../../../services/settings-ui/src/accounts/tokens.rules.ts';
import { migrations } from '../../../../services/settings-ui/src/migrations/index.ts';
import { hashPassword } from '../../../../services/settings-ui/src/passwords/password-hash.rules.ts';
import {
  createTestDatabase,
  engines,
  identityKeys,
  logger,
  patientUrl,
  uniqueTenantId,
} from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { quickDerive } from '../quick-derive.ts';
import { hashOf } from '../session-of.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

/** The last migration that 0.1.0 has. */
const OF_0_1_0 = 1;
const NEW_PASSWORD = 'four loud herons';

let world: SettingsWorld;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;
let on: Awaited<ReturnType<SettingsWorld['startSettings']>>;
let ada: Admin;
let bob: Admin;
let signedInBefore: Browser;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
const links = { invitation: randomUUID(), reset: randomUUID() };
const guest = `guest-${randomUUID()}@salon.example`;

interface Admin {
  tenantId: number;
  id: number;
  email: string;
}

/** As 0.1.0 adds them. */
async function add(tenantId: number): Promise<Admin> {
  const email = `admin-${randomUUID()}@salon.example`;
  const { rows } = await client.query(
    `insert into admin_users (tenant_id, email, email_folded, password_hash) values ($1, $2, $2, $3) returning id`,
    [tenantId, email, await hashPassword(PASSWORD, quickDerive)],
  );
  return { tenantId, id: Number(rows[0].id), email };
}

/** A session as 0.1.0 keeps it, and the browser whose it is. */
async function sessionOf010({ tenantId, id: adminId }: Admin, startedAt: number): Promise<Browser> {
  const token = randomUUID();
  const key = `settings:session:${hashOf(token)}`;
  const box = createSecretBox(await loadSecretKeys(identityKeys().secretKeysFile));
  const { rows } = await client.query('select credentials_version from admin_users where id = $1', [adminId]);
  const credentialsVersion = rows[0].credentials_version;
  const session = { tenantId, adminId, credentialsVersion, csrfSecret: 'secret', startedAt };
  await redis.set(key, box.seal(JSON.stringify(session), key), 'EX', 3_600);
  const browser = world.browser(on);
  browser.jar.set('frontdesk', token);
  return browser;
}

const isIn = async (browser: Browser) => (await browser.json('GET', '/settings/people')).status === 200;
const accept = (token: string, password?: string) =>
  world.browser(on).json('POST', '/settings/invitation', { token, new_password: password });

beforeAll(async () => {
  world = await startSettingsWorld();
  database = await createTestDatabase(migrations.slice(0, OF_0_1_0), 'settings-ui');
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("select setval(pg_get_serial_sequence('admin_users', 'id'), $1)", [uniqueTenantId()]);
  const { newTenant } = world.gatewayWorld;
  ada = await add(await newTenant(world.gateway));
  bob = await add(await newTenant(world.gateway));
  await client.query(
    `insert into admin_invitations (tenant_id, email, email_folded, token_hash, invited_by, expires_at)
     values ($1, $2, $2, $3, $4, now() + interval '7 days')`,
    [ada.tenantId, guest, hashToken(links.invitation), ada.id],
  );
  await client.query(
    `update admin_users set reset_token_hash = $1, reset_expires_at = now() + interval '1 hour' where id = $2`,
    [hashToken(links.reset), bob.id],
  );
  await migrate({ url: database.url, migrations, logger });
  on = await world.startSettings({ DATABASE_URL: patientUrl(database.url) });
  signedInBefore = await sessionOf010(ada, Date.now() - 60_000);
});
afterAll(async () => {
  redis.disconnect();
  await client.end();
  await world.stop();
  await database.drop();
});

describe('over a database that was 0.1.0’s', () => {
  it('admins sign in with their passwords, into their own business alone', async () => {
    for (const { email, tenantId } of [ada, bob]) {
      const browser = world.browser(on);
      expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
      const { admins } = (await browser.json('GET', '/settings/people')).body.data;
      expect([tenantId, admins.map((admin: { email: string }) => admin.email)]).toEqual([tenantId, [email]]);
    }
  });

  it('who was signed in stays so, and is listed', async () => {
    expect(await isIn(signedInBefore)).toBe(true);
    const { body } = await signedInBefore.json('GET', '/settings/account/sessions');
    expect(body.data).toContainEqual(expect.objectContaining({ is_current: true, device: 'Unknown device' }));
  });

  it('a reset link that was under way sets the password', async () => {
    const sent = { token: links.reset, new_password: NEW_PASSWORD };
    expect((await world.browser(on).form('/settings/reset', sent)).status).toBe(303);
    expect((await world.browser(on).signIn(bob.email, PASSWORD)).status).toBe(401);
    expect((await world.browser(on).signIn(bob.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('an invitation that was under way is accepted, and who accepts has their inviter', async () => {
    expect((await accept(links.invitation, NEW_PASSWORD)).status).toBe(200);
    const browser = world.browser(on);
    expect((await browser.signIn(guest, NEW_PASSWORD)).status).toBe(200);
    const { rows } = await client.query(
      `select tenant_id, invited_by from memberships m join accounts a on a.id = m.account_id where a.email = $1`,
      [guest],
    );
    expect(rows).toEqual([{ tenant_id: ada.tenantId, invited_by: ada.id }]);
  });
});

describe('beside processes of 0.1.0', () => {
  it('an invitation that is sent again opens by mail alone: the link that the inviter saw is void', async () => {
    const email = `guest-${randomUUID()}@salon.example`;
    const seen = randomUUID();
    const { rows } = await client.query(
      `insert into admin_invitations (tenant_id, email, email_folded, token_hash, invited_by, expires_at)
       values ($1, $2, $2, $3, $4, now() + interval '7 days') returning id::int`,
      [ada.tenantId, email, hashToken(seen), ada.id],
    );
    const browser = world.browser(on);
    await browser.signIn(ada.email, PASSWORD);
    await browser.json('POST', `/settings/people/invitations/${rows[0].id}/send-again`, {});
    expect((await accept(seen, NEW_PASSWORD)).status).toBe(422);
    expect((await accept(await world.tokenSentTo(email), NEW_PASSWORD)).status).toBe(200);
  });

  it('“sign out everywhere else” ends sessions of 0.1.0 from before it, and none that begin there later', async () => {
    const browser = world.browser(on);
    await browser.signIn(ada.email, PASSWORD);
    const earlier = await sessionOf010(ada, Date.now() - 1_000);
    const { status } = await browser.json('POST', '/settings/account/sessions/end-others', {});
    const later = await sessionOf010(ada, Date.now() + 1);
    expect([status, await isIn(earlier), await isIn(later), await isIn(browser)]).toEqual([
      200,
      false,
      true,
      true,
    ]);
    // It is one of this release from its first use on.
    const again = await later.json('GET', '/settings/account/sessions');
    expect(again.body.data.map((one: { is_current: boolean }) => one.is_current).toSorted()).toEqual([
      false,
      true,
    ]);
  });
});

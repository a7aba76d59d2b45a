import { randomUUID } from 'node:crypto';
import { createDatabase, migrate } from '@frontdesk/database';
import { createSecretBox } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { membershipEntity } from '../../../../services/settings-ui/src/accounts/membership.entity.ts';
import { auditEntryEntity } from '../../../../services/settings-ui/src/audit/audit-entry.entity.ts';
import { migrations } from '../../../../services/settings-ui/src/migrations/index.ts';
import { createPasswordHasher } from '../../../../services/settings-ui/src/passwords/password-hasher.ts';
import type { StoredDevice } from '../../../../services/settings-ui/src/session/device.rules.ts';
import { createSessions } from '../../../../services/settings-ui/src/session/session-store.ts';
import { signIn } from '../../../../services/settings-ui/src/sign-in/sign-in.ts';
import { createSignInAttempts } from '../../../../services/settings-ui/src/sign-in/sign-in-attempts.ts';
import {
  createTestDatabase,
  engines,
  logger,
  PATIENT_BOUNDS,
  uniqueTenantId,
} from '../../../support/index.ts';
import { quickDerive } from '../quick-derive.ts';

/** The last migration that 0.1.0 has. */
const OF_0_1_0 = 1;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase(migrations.slice(0, OF_0_1_0), 'settings-ui');
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
const upgrade = () => migrate({ url: database.url, migrations, logger });

/** As 0.1.0 adds them. */
const add = async (tenantId: number, email: string): Promise<number> =>
  Number(
    (
      await rows(
        `insert into admin_users (tenant_id, id, email, email_folded, password_hash, credentials_version, last_sign_in_at, created_at)
         values ($1, default, $2, $2, 'hash', default, default, default) returning id`,
        [tenantId, email],
      )
    )[0].id,
  );
const invite = (tenantId: number, email: string, by: number, token: string) =>
  rows(
    `insert into admin_invitations as i (tenant_id, email, email_folded, token_hash, invited_by, expires_at)
     values ($1, $2, $2, $4, $3, now() + interval '7 days')
     on conflict (tenant_id, email_folded) do update set token_hash = excluded.token_hash returning id`,
    [tenantId, email, by, token],
  );
const linkTo = (tenantId: number, email: string, token: string) =>
  rows(
    `update admin_users set reset_token_hash = $3, reset_expires_at = now() + interval '1 hour'
     where tenant_id = $1 and email_folded = $2 returning reset_expires_at as expires_at`,
    [tenantId, email, token],
  );

describe('a database of release 0.1.0', () => {
  it('keeps its admins, who are accounts with one membership of the same id, their links and invitations', async () => {
    const [ada, gone, bob] = [
      await add(1, 'ada@x.example'),
      await add(1, 'gone@x.example'),
      await add(2, 'bob@x.example'),
    ];
    await linkTo(1, 'ada@x.example', 'reset-of-ada');
    await invite(2, 'eve@x.example', bob, 'invitation-of-eve');
    await rows('delete from admin_users where id = $1', [gone]);
    await upgrade();
    expect(
      await rows('select tenant_id::int, id::int, account_id::int from memberships order by id'),
    ).toEqual([
      { tenant_id: 1, id: ada, account_id: ada },
      { tenant_id: 2, id: bob, account_id: bob },
    ]);
    expect(await rows('select id::int, email, password_hash, businesses from accounts order by id')).toEqual([
      { id: ada, email: 'ada@x.example', password_hash: 'hash', businesses: 1 },
      { id: bob, email: 'bob@x.example', password_hash: 'hash', businesses: 1 },
    ]);
    expect(await rows('select token_hash, account_id::int, purpose from account_links')).toEqual([
      { token_hash: 'reset-of-ada', account_id: ada, purpose: 'reset' },
    ]);
    expect(await rows('select tenant_id::int, token_hash from invitation_links')).toEqual([
      { tenant_id: 2, token_hash: 'invitation-of-eve' },
    ]);
    // No id comes twice: what was written down names it.
    expect(await add(1, 'new@x.example')).toBeGreaterThan(bob);
  });
});

describe('processes of release 0.1.0 over a database of this one', () => {
  beforeEach(upgrade);

  it('add, list, lock and remove admins; the address is one of the system', async () => {
    const ada = await add(1, 'ada@x.example');
    await expect(add(2, 'ada@x.example')).rejects.toMatchObject({ constraint: 'admin_users_email_unique' });
    const listed = await rows(
      'select tenant_id::int, id::int, email, credentials_version, last_sign_in_at from admin_users where tenant_id = 1',
    );
    expect(listed).toEqual([
      { tenant_id: 1, id: ada, email: 'ada@x.example', credentials_version: 1, last_sign_in_at: null },
    ]);
    expect(await rows('select id from admin_users where tenant_id = 1 order by id for update')).toHaveLength(
      1,
    );
    await rows('update admin_users set last_sign_in_at = now() where tenant_id = 1 and id = $1', [ada]);
    for (const table of ['memberships', 'accounts'])
      expect((await rows(`select last_sign_in_at from ${table}`))[0].last_sign_in_at).not.toBeNull();
    await rows('delete from admin_users where tenant_id = 1 and id = $1', [ada]);
    expect(await rows('select from accounts')).toEqual([]);
  });

  it('make a link and use it, which voids all links; two new passwords at once don’t both count', async () => {
    await add(1, 'ada@x.example');
    for (const token of ['first', 'second'])
      expect(await linkTo(1, 'ada@x.example', token)).toEqual([{ expires_at: expect.any(Date) }]);
    expect(await rows('select token_hash from account_links order by 1')).toHaveLength(2);
    const used = await rows(
      `update admin_users set password_hash = 'new', credentials_version = credentials_version + 1,
         reset_token_hash = null, reset_expires_at = null
       where reset_token_hash = $1 and reset_expires_at > now() returning tenant_id, id, credentials_version`,
      ['second'],
    );
    expect(used).toMatchObject([{ credentials_version: 2 }]);
    expect(await rows('select from account_links')).toEqual([]);
    expect(await rows('select password_hash, credentials_version from accounts')).toEqual([
      { password_hash: 'new', credentials_version: 2 },
    ]);
  });

  it('invite and accept', async () => {
    const ada = await add(1, 'ada@x.example');
    await invite(1, 'eve@x.example', ada, 'one');
    await rows(
      `insert into invitation_links (tenant_id, invitation_id, token_hash, expires_at)
       select tenant_id, id, 'by mail', expires_at from admin_invitations`,
    );
    await invite(1, 'eve@x.example', ada, 'two');
    // The inviter has seen the first one.
    expect(await rows('select token_hash from invitation_links order by 1')).toEqual([
      { token_hash: 'by mail' },
      { token_hash: 'two' },
    ]);
    const accepted = await rows(
      `with used as (
         delete from admin_invitations where token_hash = $1 and expires_at > now() returning tenant_id, email, email_folded
       )
       insert into admin_users (tenant_id, email, email_folded, password_hash)
       select tenant_id, email, email_folded, 'hash' from used returning tenant_id::int, id, credentials_version`,
      ['two'],
    );
    expect(accepted).toMatchObject([{ tenant_id: 1, credentials_version: 1 }]);
    expect(await rows('select email, businesses from accounts order by id')).toEqual([
      { email: 'ada@x.example', businesses: 1 },
      { email: 'eve@x.example', businesses: 1 },
    ]);
    expect(await rows('select from invitation_links')).toEqual([]);
  });

  it('see an account of several businesses once, in the first of them', async () => {
    const ada = await add(1, 'ada@x.example');
    await rows('insert into memberships (tenant_id, account_id) select 2, id from accounts');
    expect(await rows('select tenant_id::int, id::int from admin_users')).toEqual([
      { tenant_id: 1, id: ada },
    ]);
  });
});

describe('a browser that both releases know', () => {
  const redis = new Redis(engines().redisUrl, { lazyConnect: true });
  afterAll(() => redis.disconnect());
  const PASSWORD = 'three calm walruses';

  /** Signs in as this release does, with what the browser has. */
  const signInWith = async (email: string, device: StoredDevice | null) => {
    const given = { url: database.url, migrations, logger, bounds: PATIENT_BOUNDS };
    const own = createDatabase({ ...given, entities: [membershipEntity, auditEntryEntity] });
    await own.start();
    try {
      const deps = {
        database: own,
        sessions: createSessions(redis, createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }])),
        attempts: createSignInAttempts(redis),
        passwords: createPasswordHasher({ by: quickDerive }),
        noteWrongPassword: async () => {},
      };
      const client = { address: '192.0.2.7', userAgent: '' };
      return await signIn(deps, { email, password: PASSWORD, client, device });
    } finally {
      await own.stop();
    }
  };
  const withPassword = async (email: string) => {
    const hash = await createPasswordHasher({ by: quickDerive }).hash(PASSWORD, 1);
    await rows('update accounts set password_hash = $2, last_sign_in_at = now() where email = $1', [
      email,
      hash,
    ]);
  };
  const newEmail = () => `ada-${randomUUID()}@x.example`;

  it('keeps its id where 0.1.0 has made it known, and its owner hears of no new device', async () => {
    const email = newEmail();
    const old = await add(1, newEmail());
    await upgrade();
    await rows("select setval('accounts_id_seq', $1::bigint)", [uniqueTenantId()]);
    // Added through 0.1.0 during the upgrade: the ids of the account and of the membership differ.
    const adminId = await add(1, email);
    await withPassword(email);
    const device = { tenantId: 1, adminId, credentialsVersion: 1, id: randomUUID() };
    const signedIn = await signInWith(email, device);
    expect(signedIn.device).toEqual({ ...device, accountId: signedIn.proof.accountId });
    expect(signedIn.proof.accountId).not.toBe(adminId);
    expect(await rows('select from emails')).toEqual([]);
    const other = await signInWith(email, { ...device, adminId: old });
    expect(other.device.id).not.toBe(device.id);
    expect(await rows('select kind from emails')).toEqual([{ kind: 'new_device' }]);
  });

  it('is found by 0.1.0 where this release has made it known, also of an account with several businesses', async () => {
    await upgrade();
    await rows("select setval('accounts_id_seq', $1::bigint)", [uniqueTenantId()]);
    const email = newEmail();
    await add(1, email);
    await withPassword(email);
    await rows(
      'insert into memberships (tenant_id, account_id, last_sign_in_at) select 2, id, now() from accounts',
    );
    const { device } = await signInWith(email, null);
    const found = await rows(
      'select email, credentials_version from admin_users where tenant_id = $1 and id = $2',
      [device.tenantId, device.adminId],
    );
    expect(found).toEqual([{ email, credentials_version: device.credentialsVersion }]);
  });
});

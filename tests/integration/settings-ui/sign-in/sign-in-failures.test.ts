import { randomUUID } from 'node:crypto';
import { systemSql } from '@frontdesk/database';
import { eventually, withinOneWindow } from '../../../support/index.ts';
import { quickDerive } from '../quick-derive.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

/** While it is shut, no password is hashed. */
let gate = Promise.resolve();
const gated = (async (...args: Parameters<typeof quickDerive>) => {
  await gate;
  return quickDerive(...args);
}) as typeof quickDerive;

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld({ derive: gated });
});
afterAll(() => world.stop());

const HOUR_SECONDS = 3_600;
const unknownEmail = () => `nobody-${randomUUID()}@salon.example`;
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

interface Entry {
  actor: string;
  address: string | null;
  action: string;
  outcome: string;
  count: number;
  last_at: Date | null;
}
const entriesOf = (tenantId: number) =>
  world.database.system.many(
    systemSql<Entry, { tenant: number }>(
      'test_entries',
      'select actor, address, action, outcome, count, last_at from audit_log where tenant_id = $tenant order by at, id',
    ),
    { tenant: tenantId },
  );

describe('wrong passwords of one hour', () => {
  it('are one entry of the audit log, with their number and the latest time', async () => {
    const { entries, page, latest } = await withinOneWindow(HOUR_SECONDS, async () => {
      const { email, tenantId } = await world.newAdmin();
      let latest = '';
      for (let i = 0; i < 3; i += 1) {
        const browser = world.browser();
        latest = browser.address;
        await browser.signIn(email, 'wrong');
      }
      const browser = world.browser();
      await browser.signIn(email, PASSWORD);
      const change = { current_password: 'wrong', new_password: PASSWORD };
      for (let i = 0; i < 2; i += 1) await browser.json('POST', '/settings/account/password', change);
      // They are written down after the answer.
      await eventually(async () => {
        const counts = (await entriesOf(tenantId)).map(({ count }) => count);
        expect(counts).toEqual([1, 3, 1, 2]);
      });
      const { page } = await browser.html('/settings/audit');
      return { entries: await entriesOf(tenantId), page: textOf(page), latest };
    });
    expect(entries).toMatchObject([
      { action: 'admin_created', outcome: 'done', count: 1, last_at: null },
      { action: 'signed_in', outcome: 'refused', count: 3, address: latest, last_at: expect.any(Date) },
      { action: 'signed_in', outcome: 'done', count: 1, last_at: null },
      { action: 'password_changed', outcome: 'refused', count: 2, last_at: expect.any(Date) },
    ]);
    expect(page).toMatch(/Signed in 3 times, the latest /);
    expect(page).toMatch(/Changed the password 2 times, the latest /);
  });

  it('at addresses that nobody has are counted under no tenant, without what was typed', async () => {
    await withinOneWindow(HOUR_SECONDS, async () => {
      const countNow = async () => (await entriesOf(0)).at(-1)?.count ?? 0;
      const before = await countNow();
      for (let i = 0; i < 3; i += 1) await world.browser().signIn(unknownEmail(), 'wrong');
      await eventually(async () => expect(await countNow()).toBe(before + 3));
    });
    for (const { actor, address } of await entriesOf(0)) expect([actor, address]).toEqual(['', null]);
  });
});

it('a wrong password has the same answer where it can’t be written down, and is in the log once it can', async () => {
  const { email, browser, tenantId } = await world.signedIn();
  const rename = (from: string, to: string) =>
    world.database.system.run(systemSql<never>(`test_rename_${from}`, `alter table ${from} rename to ${to}`));
  await rename('wrong_passwords', 'lost_passwords');
  try {
    const { status, body } = await world.browser().signIn(email, 'wrong');
    expect([status, body.code]).toEqual([401, 'unauthorized']);
    expect((await browser.json('POST', '/settings/confirm', { password: 'wrong' })).status).toBe(422);
  } finally {
    await rename('lost_passwords', 'wrong_passwords');
  }
  await eventually(async () => {
    const refused = (await entriesOf(tenantId)).filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ action }) => action)).toEqual(['signed_in', 'confirmed']);
  });
});

/** One more than there is room for: once that one is refused, all others wait. */
async function crowd<Answer>(room: number, send: () => Promise<Answer>) {
  const sent = Array.from({ length: room + 1 }, send);
  return { sent, refused: await Promise.race(sent) };
}

const statusesOf = async (sent: Promise<{ status: number }>[]) =>
  (await Promise.all(sent)).map(({ status }) => status).sort((a, b) => a - b);

describe('while more passwords come than can be hashed', () => {
  it('503 with a time to come again, as an envelope and as the form; owners and links go first', async () => {
    const owner = await world.signedIn();
    const { tenantId, email } = await world.newAdmin();
    const made = await world.asOperator('POST', `/internal/tenants/${tenantId}/admins/reset-link`, { email });
    const token = new URL(made.body.data.url).searchParams.get('token') ?? '';

    const shut = Promise.withResolvers<void>();
    gate = shut.promise;
    const guesses = await crowd(52, () => world.browser().signIn(unknownEmail(), 'wrong'));
    const { refused } = guesses;
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.body).toMatchObject({ success: false, code: 'service_unavailable' });
    const form = await world.browser().form('/settings/sign-in', { email, password: 'wrong' });
    expect([form.status, form.headers['retry-after']]).toEqual([503, '1']);
    expect(form.page).toContain('Too many people are signing in right now.');
    expect(form.page).toContain(`value="${email}"`);

    // Five of a tenant may wait, beside all strangers.
    const owners = await crowd(5, () => owner.browser.signIn(owner.email, PASSWORD));
    const links = await crowd(5, () =>
      world.browser().form('/settings/reset', { token, new_password: PASSWORD }),
    );
    shut.resolve();
    expect(await statusesOf(owners.sent)).toEqual([...Array(5).fill(200), 503]);
    // A link is good for once.
    expect(await statusesOf(links.sent)).toEqual([303, ...Array(4).fill(422), 503]);
    expect(await statusesOf(guesses.sent)).toEqual([...Array(52).fill(401), 503]);
  });
});

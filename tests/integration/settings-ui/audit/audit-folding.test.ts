import { systemSql } from '@frontdesk/database';
import { Redis } from 'ioredis';
import { findMemberByEmail } from '../../../../services/settings-ui/src/accounts/membership.repository.ts';
import type { AuditAction } from '../../../../services/settings-ui/src/audit/audit.rules.ts';
import {
  concludeFoldedEntry,
  foldEntry,
  foldWrongPassword,
  listEntries,
  queueWrongPassword,
} from '../../../../services/settings-ui/src/audit/audit-entry.repository.ts';
import { createChangeLimits } from '../../../../services/settings-ui/src/changes/change-limits.ts';
import { engines, eventually, withinOneWindow } from '../../../support/index.ts';
import { startCrm } from '../../crm/crm-world.ts';
import { add, CUSTOMERS, textOf } from '../customers-pages.ts';
import { LOCAL, PASSWORD, type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
let other: SettingsWorld['settings'];
let crm: Awaited<ReturnType<typeof startCrm>>;
beforeAll(async () => {
  crm = await startCrm();
  const CRM_INTERNAL_URL = await crm.service.internal.listen(LOCAL);
  world = await startSettingsWorld({ beside: async () => ({ CRM_INTERNAL_URL }) });
  other = await world.startSettings();
});
afterAll(async () => {
  await world.stop();
  await crm.service.internal.close();
  await crm.stop();
});

const HOUR_SECONDS = 3_600;
const inOneHour = <Result>(test: () => Promise<Result>) => withinOneWindow(HOUR_SECONDS, test);

const entriesOf = (tenantId: number) => listEntries(world.database.forTenant(tenantId), { count: 10_000 });

/** So that what the person does of this kind folds from now on. */
async function useUpEntries(tenantId: number, actor: string, action: AuditAction) {
  const redis = new Redis(engines().redisUrl);
  const limits = createChangeLimits(redis);
  while (await limits.hasOwnEntry(tenantId, { actor, action }));
  redis.disconnect();
}

async function newBusiness() {
  const { tenantId, browser, email } = await world.signedIn();
  crm.newTenant({ id: tenantId });
  return { tenantId, browser, email };
}

it('beyond a hundred changes of customers in an hour, one person’s are one entry with their ids, over two processes', async () => {
  const { tenantId, browser, ids, changed } = await inOneHour(async () => {
    const { tenantId, browser, email } = await newBusiness();
    const twin = world.browser(other);
    twin.jar.set('frontdesk', browser.jar.get('frontdesk') ?? '');
    const ids = [await add(browser), await add(browser), await add(browser)];
    const changed: number[] = [];
    for (let round = 0; round < 26; round += 1) {
      const changes = [0, 1, 2, 3, 4].map((place) => {
        const id = place === 4 ? 999_999 : (ids[place % 3] as number);
        const sender = place % 2 === 0 ? browser : twin;
        return sender.json(
          'POST',
          `${CUSTOMERS}/${id}`,
          { name: `Ada ${round} ${place}` },
          browser.csrfToken(),
        );
      });
      for (const { status } of await Promise.all(changes)) changed.push(status);
    }
    return { tenantId, browser, email, ids, changed };
  });
  expect(changed.filter((status) => status === 200)).toHaveLength(104);
  expect(changed.filter((status) => status === 404)).toHaveLength(26);

  const entries = (await entriesOf(tenantId)).filter(({ action }) => action === 'customer_changed');
  const single = entries.filter(({ record_ids }) => record_ids === null);
  const [folded, ...more] = entries.filter(({ record_ids }) => record_ids !== null);
  expect([single.length, more.length]).toEqual([100, 0]);
  expect(folded).toMatchObject({ count: 30, outcome: 'done', subject: '' });
  expect((folded?.done_count ?? 0) + (folded?.refused_count ?? 0)).toBe(30);
  expect(folded?.record_ids?.toSorted((a, b) => a - b)).toEqual([...ids, 999_999]);
  expect(folded?.last_at?.getTime()).toBeGreaterThanOrEqual(folded?.at.getTime() ?? Number.NaN);

  const { page } = await browser.html('/settings/audit');
  expect(textOf(page)).toContain('Changed a customer 30 times, the latest');
  expect(textOf(page)).toContain(`4 customers ${folded?.record_ids?.join(', ')}`);
});

it('what another person does, and another kind of change, has entries of its own', async () => {
  const entries = await inOneHour(async () => {
    const { tenantId, browser } = await newBusiness();
    const colleague = await world.signedIn({ tenantId });
    const id = await add(browser);
    for (let times = 0; times < 101; times += 1)
      await browser.json('POST', `${CUSTOMERS}/${id}`, { notes: `Note ${times}` });
    await colleague.browser.json('POST', `${CUSTOMERS}/${id}`, { notes: 'Theirs' });
    await add(browser);
    return entriesOf(tenantId);
  });
  const [added, theirs, folded] = entries;
  expect(added).toMatchObject({ action: 'customer_added', record_ids: null, outcome: 'done' });
  expect(theirs).toMatchObject({ action: 'customer_changed', record_ids: null, outcome: 'done' });
  expect(folded).toMatchObject({ action: 'customer_changed', count: 1, done_count: 1, refused_count: 0 });
});

it('exports keep how many customers they handed out together, and all from where', async () => {
  const { folded, single, page, addresses } = await inOneHour(async () => {
    const { tenantId, browser, email } = await newBusiness();
    for (let count = 0; count < 3; count += 1) await add(browser);
    const elsewhere = world.browser(other);
    elsewhere.jar.set('frontdesk', browser.jar.get('frontdesk') ?? '');
    const file = `${CUSTOMERS}/export.csv`;
    expect((await browser.html(file)).status).toBe(200);
    await useUpEntries(tenantId, email, 'customers_exported');
    for (const sender of [browser, elsewhere, browser, elsewhere])
      expect((await sender.html(file)).page.trimEnd().split('\r\n')).toHaveLength(4);
    const entries = (await entriesOf(tenantId)).filter(({ action }) => action === 'customers_exported');
    const [folded, ...single] = entries;
    const { page } = await browser.html('/settings/audit');
    return { folded, single, page, addresses: [browser.address, elsewhere.address] };
  });
  expect(single).toMatchObject([{ subject: '3 customers', record_ids: null, exported_count: null }]);
  expect(folded).toMatchObject({
    count: 4,
    done_count: 4,
    outcome: 'done',
    exported_count: 12,
    addresses,
    address: addresses[1],
  });
  expect(textOf(page)).toContain('12 customers in all');
  expect(textOf(page)).toContain(`${addresses[1]} 1 other address ${addresses[0]}`);
});

it('entries about endpoints never fold', async () => {
  const entries = await inOneHour(async () => {
    const { tenantId, browser } = await newBusiness();
    const made = await browser.json('POST', '/settings/api/webhooks', {
      url: UNANSWERED,
      events: ['appointment.created'],
    });
    const { id } = made.body.data;
    for (let times = 0; times < 53; times += 1)
      for (const verb of ['pause', 'resume'])
        await browser.json('POST', `/settings/api/webhooks/${id}/${verb}`, {});
    return entriesOf(tenantId);
  });
  expect(entries.filter(({ action }) => action.startsWith('endpoint_'))).toHaveLength(107);
  expect(entries.every(({ count, record_ids }) => count === 1 && record_ids === null)).toBe(true);
});

describe('a folded entry', () => {
  const actor = { name: 'ada@salon.example', address: '192.0.2.1' };
  const scopeOf = async () => world.database.forTenant((await world.newAdmin()).tenantId);
  const ENTRY = { action: 'appointment_moved' } as const;

  it('holds a thousand; what comes then begins another, also where many come at once', async () => {
    const entries = await inOneHour(async () => {
      const scope = await scopeOf();
      const id = await foldEntry(scope, actor, { ...ENTRY, record: 1 });
      await world.database.system.run(fill, { id });
      const begun = await Promise.all(
        Array.from({ length: 20 }, (_, place) => foldEntry(scope, actor, { ...ENTRY, record: 10 + place })),
      );
      for (const one of [id, ...begun])
        await concludeFoldedEntry(scope, one, { outcome: 'done', record: null });
      return (await listEntries(scope, { count: 9 })).filter(({ action }) => action === ENTRY.action);
    });
    expect(entries.map(({ count }) => count)).toEqual([19, 1_000]);
    expect(entries.map(({ done_count }) => done_count)).toEqual([19, 1_000]);
    expect(entries.flatMap(({ record_ids }) => record_ids).length).toBe(21);
  });

  it('keeps twenty addresses and the latest; wrong passwords keep them too', async () => {
    const addressOf = (n: number) => `192.0.2.${n + 1}`;
    const entries = await inOneHour(async () => {
      const { tenantId, email } = await world.newAdmin();
      const scope = world.database.forTenant(tenantId);
      const accountId = (await findMemberByEmail(scope, email))?.account_id ?? null;
      for (let n = 0; n < 25; n += 1) {
        const from = { ...actor, address: addressOf(n) };
        for (let times = 0; times < 2; times += 1) {
          await foldEntry(scope, from, { ...ENTRY, record: 1 });
          const wrong = { accountId, address: from.address, action: 'signed_in' } as const;
          await queueWrongPassword(world.database.system, wrong);
        }
      }
      const entries = () => listEntries(scope, { count: 2 });
      await eventually(async () => expect((await entries()).map(({ count }) => count)).toEqual([50, 50]));
      return entries();
    });
    const addresses = Array.from({ length: 20 }, (_, n) => addressOf(n));
    expect(entries).toMatchObject([
      { count: 50, addresses, address: addressOf(24) },
      { count: 50, addresses, address: addressOf(24) },
    ]);
  });

  it('is of one account: who has the email after somebody has an entry of their own', async () => {
    const { moved, failed } = await inOneHour(async () => {
      const { tenantId, email } = await world.newAdmin();
      const scope = world.database.forTenant(tenantId);
      const accountNow = async () => (await findMemberByEmail(scope, email))?.account_id ?? 0;
      const actOnce = async () => {
        const accountId = await accountNow();
        await foldEntry(scope, { ...actor, name: email, accountId }, { ...ENTRY, record: 1 });
        const wrong = { accountId, address: actor.address, action: 'signed_in' } as const;
        await queueWrongPassword(world.database.system, wrong);
        while (await foldWrongPassword(world.database.system));
        return accountId;
      };
      const first = [await actOnce(), await actOnce()];
      const admins = `/internal/tenants/${tenantId}/admins`;
      const [{ id }] = (await world.asOperator('GET', admins)).body.data;
      await world.asOperator('DELETE', `${admins}/${id}`);
      await world.asOperator('POST', admins, { email, password: PASSWORD });
      const second = await actOnce();
      const expected = [
        { account_id: second, count: 1 },
        { account_id: first[0], count: 2 },
      ];
      const entries = await listEntries(scope, { count: 9 });
      const of = (wanted: AuditAction) => entries.filter(({ action }) => action === wanted);
      return { moved: [of(ENTRY.action), expected], failed: [of('signed_in'), expected] };
    });
    expect(moved[0]).toMatchObject(moved[1] ?? []);
    expect(failed[0]).toMatchObject(failed[1] ?? []);
  });

  it('is not confirmed while one of its actions is, and refused where all are', async () => {
    const outcomes = await inOneHour(async () => {
      const scope = await scopeOf();
      const outcome = async () => (await listEntries(scope, { count: 1 }))[0]?.outcome;
      const id = await foldEntry(scope, actor, { ...ENTRY, record: 1 });
      const said = [await outcome()];
      await concludeFoldedEntry(scope, id, { outcome: 'refused', record: null });
      said.push(await outcome());
      await foldEntry(scope, actor, { ...ENTRY, record: 1 });
      said.push(await outcome());
      await concludeFoldedEntry(scope, id, { outcome: 'done', record: 2 });
      return [...said, await outcome()];
    });
    expect(outcomes).toEqual(['started', 'refused', 'started', 'done']);
  });

  const fill = systemSql<never, { id: number }>(
    'test_fill_folded_entry',
    'update audit_log set count = 999, done_count = 998 where id = $id',
  );
});

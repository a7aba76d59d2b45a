import { randomUUID } from 'node:crypto';
import { systemSql } from '@frontdesk/database';
import { createRetentionWorker } from '../../../../services/settings-ui/src/audit/retention.worker.ts';
import { logger, withinOneWindow } from '../../../support/index.ts';
import { genericCall } from '../../calls/sample-calls.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { addService, addStaff, BUSINESS, type BusinessWorld, startBusinessWorld } from '../business-world.ts';
import { addSource, SOURCES, startCallsSettings } from '../calls-settings-world.ts';
import type { Browser } from '../inject-browser.ts';

const INVITATIONS = '/settings/people/invitations';
const KEYS = '/settings/api/keys';
const newGuest = () => `guest-${randomUUID()}@salon.example`;

const makeOld = systemSql<never, { tenantId: number }>(
  'test_make_invitations_old',
  'update admin_invitations set expires_at = now() where tenant_id = $tenantId',
);
const ageAudit = systemSql<never, { tenantId: number; days: number }>(
  'test_age_audit_log',
  `update audit_log set at = now() - $days * interval '1 day' where tenant_id = $tenantId`,
);
const countAudit = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_audit_log',
  'select count(*) as count from audit_log where tenant_id = $tenantId',
);

describe('quotas on the pages', () => {
  let world: BusinessWorld;
  beforeAll(async () => {
    world = await startBusinessWorld();
  });
  afterAll(() => world.stop());

  const starter = async () =>
    world.signedIn(await world.gatewayWorld.newTenant(world.gateway, { plan: 'starter' }));
  const allow = (tenantId: number, fields: object) =>
    world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, fields);
  const invite = (browser: Browser) => browser.json('POST', INVITATIONS, { email: newGuest() });

  it('people and open invitations: of fifteen made at once for the last places of five two are made', async () => {
    const { browser, tenantId } = await starter();
    await world.newAdmin(tenantId);
    await invite(browser);
    const answers = await Promise.all(Array.from({ length: 15 }, () => invite(browser)));
    const made = answers.filter(({ status }) => status === 201);
    expect([made.length, answers.filter(({ status }) => status === 422).length]).toEqual([2, 13]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'Your plan allows 5 people and open invitations, and there are 5.',
    });
    const asOperator = await world.asOperator('POST', `/internal/tenants/${tenantId}/admins`, {
      email: newGuest(),
      password: 'three calm walruses',
    });
    expect([asOperator.status, asOperator.body.code]).toEqual([422, 'quota_exceeded']);
    const { body } = await world.asOperator('GET', `/internal/tenants/${tenantId}/quota-usage`);
    expect(body.data).toEqual({ admins: 5 });
  });

  it('who accepts an invitation takes its place; a new one for the same address, and old ones, take none', async () => {
    const { browser, tenantId } = await starter();
    const guest = newGuest();
    for (let index = 0; index < 3; index += 1) await invite(browser);
    await browser.json('POST', INVITATIONS, { email: guest });
    const again = await browser.json('POST', INVITATIONS, { email: guest });
    expect(again.status).toBe(201);
    const token = await world.tokenSentTo(guest);
    const joined = await world
      .browser()
      .form('/settings/invitation', { token, new_password: 'three calm walruses' });
    expect(joined.status).toBe(303);
    expect((await invite(browser)).status).toBe(422);
    await world.database.system.run(makeOld, { tenantId });
    expect((await invite(browser)).status).toBe(201);
  });

  it('a page says how much is used, warns from 80 % on, and offers no form where the plan is full', async () => {
    const { browser } = await starter();
    const page = async () => (await browser.html('/settings/people')).page;
    const form = `action="${INVITATIONS}"`;
    const used = (count: number) => `${count} of 5 people and open invitations used`;
    for (let index = 0; index < 2; index += 1) await invite(browser);
    expect(await page()).toContain(`<p class="hint">${used(3)}</p>`);
    await invite(browser);
    expect(await page()).toContain(
      `<p class="notice waiting" role="status">${used(4)}. You are close to your plan’s limit.</p>`,
    );
    expect(await page()).toContain(form);
    await invite(browser);
    const full = await page();
    expect(full).toContain(`You have reached your plan’s limit: ${used(5)}.`);
    expect(full).not.toContain(form);
    // An earlier form gets the refusal, with what was typed.
    const late = await browser.form(INVITATIONS, { email: 'late@salon.example' });
    expect(late.status).toBe(422);
    expect(late.page).toContain('Your plan allows 5 people and open invitations, and there are 5.');
    expect(late.page).toContain('value="late@salon.example"');
  });

  it('API keys: revoked ones count for nothing', async () => {
    const { browser } = await starter();
    const page = async () => (await browser.html('/settings/api')).page;
    let last = 0;
    for (let index = 0; index < 10; index += 1)
      last = (await browser.json('POST', KEYS, { name: 'Sync' })).body.data.id;
    expect(await page()).toContain('You have reached your plan’s limit: 10 of 10 API keys used.');
    expect(await page()).not.toContain(`action="${KEYS}"`);
    await browser.form(`${KEYS}/${last}/revoke`, {});
    expect(await page()).toContain('9 of 10 API keys used. You are close to your plan’s limit.');
    expect(await page()).toContain(`action="${KEYS}"`);
  });

  it.each([
    ['staff', 'active staff members', addStaff],
    ['services', 'active services', addService],
  ] as const)(
    '%s: no further one is offered, on the list and on the page of a new one',
    async (kind, noun, add) => {
      const { browser, tenantId } = await world.signedIn();
      const [list, form] = [`${BUSINESS}/${kind}`, `${BUSINESS}/${kind}/new`];
      const page = async (path: string) => (await browser.html(path)).page;
      const id = await add(browser, { name: 'A' });
      const allowed = kind === 'staff' ? 200 : 500;
      expect(await page(list)).toContain(`<p class="hint">1 of ${allowed} ${noun} used</p>`);
      expect(await page(form)).toContain(`action="${form}"`);

      // What is there may be more than a plan allows that has become smaller.
      for (let index = 0; index < 20; index += 1) await add(browser, { name: `B ${index}` });
      await allow(tenantId, { plan: 'starter' });
      const smaller = kind === 'staff' ? 20 : 50;
      const seen = await page(list);
      if (kind === 'services') {
        expect(seen).toContain(`21 of ${smaller} ${noun} used`);
        return;
      }
      expect(seen).toContain(`You have reached your plan’s limit: 21 of 20 ${noun} used.`);
      expect(seen).not.toContain(`href="${form}"`);
      expect(await page(form)).not.toContain(`action="${form}"`);
      await browser.form(`${list}/${id}/deactivate`, {});
      expect(await page(list)).toContain('You have reached your plan’s limit: 20 of 20');
    },
  );

  it('the audit log ends after 400 days', async () => {
    const { browser, tenantId } = await starter();
    await invite(browser);
    const left = async (days: number) => {
      await world.database.system.run(ageAudit, { tenantId, days });
      const worker = createRetentionWorker({ database: world.database, logger });
      await worker.start?.();
      // Waits for the turn under way.
      await worker.stop?.();
      return (await world.database.system.one(countAudit, { tenantId })).count;
    };
    expect(await left(399)).toBeGreaterThan(0);
    expect(await left(401)).toBe(0);
  });
});

describe('quotas of calls on their page', () => {
  let world: Awaited<ReturnType<typeof startCallsSettings>>;
  beforeAll(async () => {
    world = await startCallsSettings();
  });
  afterAll(() => world.stop());

  const ofToday = async () => {
    const { tenantId, browser } = await world.newBusiness();
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
      plan: 'starter',
    });
    const page = async () => (await browser.html(SOURCES)).page;
    const source = await addSource(browser);
    const { body, headers } = genericMessage(genericCall(), source);
    await world.calls.ingest(source, { body, headers });
    const seen = await page();
    expect(seen).toContain('<p class="hint">1 of 5 call sources used</p>');
    expect(seen).toContain('<p class="hint">1 of 2.000 call messages used today (UTC)</p>');
    expect(seen).toContain('<p class="hint">0 of 200 MB of call messages used today (UTC)</p>');
    expect(seen).toContain('Add a source');

    for (let index = 0; index < 4; index += 1) await addSource(browser);
    const count = systemSql<never, { tenantId: number }>(
      'test_set_day',
      'update call_message_days set messages = 1600, bytes = 200000000 where tenant_id = $tenantId',
    );
    await world.calls.database.system.run(count, { tenantId });
    const full = await page();
    expect(full).toContain('You have reached your plan’s limit: 5 of 5 call sources used.');
    expect(full).not.toContain('Add a source');
    expect(full).toContain(
      '1.600 of 2.000 call messages used today (UTC). You are close to your plan’s limit.',
    );
    expect(full).toContain(
      'You have reached your plan’s limit: 200 of 200 MB of call messages used today (UTC).',
    );
  };

  it('sources and the messages of today, with a warning from 80 % on', () =>
    withinOneWindow(86_400, ofToday));
});

import { systemSql } from '@frontdesk/database';
import { eventually, operator, signedRequests } from '../../../support/index.ts';
import type { AnsweredBody } from '../../gateway/gateway-world.ts';
import { NOBODY, type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld({ collects: true });
});
afterAll(() => world.stop());

const ALICE = { ...operator, actor: 'alice' };
const age = systemSql<never, { tenantId: number }>(
  'test_age_operator_changes',
  `update operator_changes set at = at - interval '10 minutes' where tenant_id = $tenantId`,
);
const ageByADay = systemSql<never, { tenantId: number }>(
  'test_age_operator_changes_by_a_day',
  `update operator_changes set at = at - interval '1 day' where tenant_id = $tenantId`,
);
/** As if the business were older than what is aged. */
const ageBusiness = systemSql<never, { tenantId: number }>(
  'test_age_tenant',
  `update tenants set created_at = created_at - interval '1 day' where tenant_id = $tenantId`,
);
const begin = systemSql<never, { tenantId: number }>(
  'test_begin_operator_change',
  `insert into operator_changes (tenant_id, actor, action, subject, outcome)
   values ($tenantId, 'bob', 'key_created', 'Half made', 'started')`,
);
const kept = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_operator_changes',
  'select count(*) as count from operator_changes where tenant_id = $tenantId',
);
const entries = systemSql<
  { actor: string; action: string; subject: string; outcome: string; address: string | null },
  { tenantId: number }
>(
  'test_operator_entries',
  `select actor, action, subject, outcome, address from audit_log
   where tenant_id = $tenantId and origin is not null order by at`,
);

/** A request to the gateway's internal port, by alice unless another caller is named. */
async function atGateway(method: string, path: string, body?: object, caller = ALICE) {
  const token = await signedRequests('gateway').tokenOf(caller);
  const answer = await fetch(`${world.gateway.internalUrl}${path}`, {
    method,
    headers: { 'x-frontdesk-identity': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as AnsweredBody };
}

it('what an operator changes stands in the business’s audit log, with who it was', async () => {
  const { tenantId, browser } = await world.signedIn();
  const path = `/internal/tenants/${tenantId}`;
  const bounds = { scopes: ['staff:read'], expires_at: '2099-01-31T00:00:00Z', networks: ['203.0.113.0/24'] };
  const { body } = await atGateway('POST', `${path}/keys`, { name: 'Website', ...bounds });
  await atGateway('PATCH', `${path}/keys/${body.data.id}`, { expires_at: null, networks: null });
  await atGateway('POST', `${path}/keys/${body.data.id}/revoke`);
  await atGateway('DELETE', `${path}/keys/${body.data.id}`);
  await atGateway('PATCH', path, { quotas: { staff: 500 } });
  await atGateway('PATCH', path, { plan: 'pro' });
  await atGateway('PATCH', path, { name: 'Salon Nord' });
  await atGateway('PATCH', path, { status: 'suspended' });
  await atGateway('PATCH', path, { status: 'active' });
  expect((await atGateway('PATCH', path, { quotas: { staff: 1 } })).status).toBe(422);
  // Reads, and what is refused before anything is tried, leave nothing.
  await atGateway('GET', `${path}/keys`);
  await atGateway('POST', `${path}/keys`, { name: 7 });

  const expected = [
    [
      'key_created',
      'Website, scopes: staff:read, expires at: 2099-01-31T00:00:00.000Z, networks: 203.0.113.0/24',
      'done',
    ],
    ['key_changed', `Key ${body.data.id}, Website, expires at: none, networks: none`, 'done'],
    ['key_revoked', `Key ${body.data.id}, Website`, 'done'],
    ['key_deleted', `Key ${body.data.id}`, 'done'],
    ['quota_changed', 'quotas: staff 500', 'done'],
    ['plan_changed', 'plan: pro', 'done'],
    ['profile_changed', 'name: Salon Nord', 'done'],
    ['business_suspended', 'status: suspended', 'done'],
    ['business_resumed', 'status: active', 'done'],
    ['quota_changed', 'quotas: staff 1', 'refused'],
  ];
  await eventually(async () => {
    const found = await world.database.system.many(entries, { tenantId });
    const ofAlice = found.filter(({ actor }) => actor === 'Operator (alice)');
    expect(ofAlice.map(({ action, subject, outcome }) => [action, subject, outcome])).toEqual(expected);
    expect(new Set(found.map(({ address }) => address))).toEqual(new Set([null]));
  });
  // The service that recorded them keeps nothing.
  await eventually(async () =>
    expect((await world.gatewayWorld.database.system.one(kept, { tenantId })).count).toBe(0),
  );
  const { page } = await browser.html('/settings/audit');
  for (const words of ['Operator (alice)', 'Created an API key', 'Suspended the business', 'Command line'])
    expect(page).toContain(words);
  // Another business sees nothing of it.
  const other = await world.signedIn();
  expect((await other.browser.html('/settings/audit')).page).not.toContain('alice');
});

it('of webhooks, too, and of who only creates the business', async () => {
  const created = await atGateway('POST', '/internal/tenants', {
    name: 'New salon',
    plan: 'starter',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    country: 'DE',
  });
  const tenantId = created.body.data.id as number;
  const send = world.webhooks.asOperator(tenantId);
  const { id } = (await send('POST', '', { url: UNANSWERED, events: ['customer.created'] })).body.data;
  await send('PATCH', `/${id}`, { is_active: false });
  await send('POST', `/${id}/rotate-secret`, {});
  await send('DELETE', `/${id}`);
  await send('DELETE', `/${id}`);
  await eventually(async () =>
    expect(
      (await world.database.system.many(entries, { tenantId })).map((one) => [
        one.actor,
        one.action,
        one.subject,
        one.outcome,
      ]),
    ).toEqual([
      ['Operator (alice)', 'business_created', 'New salon, plan: starter', 'done'],
      ['Operator', 'endpoint_added', `${UNANSWERED}, events: customer.created`, 'done'],
      ['Operator', 'endpoint_paused', `Endpoint ${id}, ${UNANSWERED}`, 'done'],
      ['Operator', 'secret_rotated', `Endpoint ${id}`, 'done'],
      ['Operator', 'endpoint_deleted', `Endpoint ${id}`, 'done'],
      ['Operator', 'endpoint_deleted', `Endpoint ${id}`, 'refused'],
    ]),
  );
});

it('a change of which nobody knows what came of it is shown as not confirmed', async () => {
  const { tenantId, browser } = await world.signedIn();
  const { system } = world.gatewayWorld.database;
  await system.run(ageBusiness, { tenantId });
  await system.run(begin, { tenantId });
  await system.run(age, { tenantId });
  await eventually(async () => {
    const { page } = await browser.html('/settings/audit');
    expect(page).toMatch(/Operator \(bob\)[\s\S]*Half made[\s\S]*Not confirmed/);
  });
});

it('where it can’t be written down, nothing is changed', async () => {
  const { tenantId } = await world.signedIn();
  const sql = (text: string) => systemSql<never>(`test_${text.slice(0, 40)}`, text);
  const { system } = world.gatewayWorld.database;
  await system.run(sql('alter table operator_changes rename to operator_changes_away'));
  try {
    const { status } = await atGateway('POST', `/internal/tenants/${tenantId}/keys`, { name: 'Unseen' });
    expect(status).toBeGreaterThanOrEqual(500);
  } finally {
    await system.run(sql('alter table operator_changes_away rename to operator_changes'));
  }
  const { body } = await atGateway('GET', `/internal/tenants/${tenantId}/keys`);
  expect(body.data).toEqual([]);
});

const record = systemSql<{ id: number }, { tenantId: number; subject: string; outcome: string }>(
  'test_record_operator_change',
  `insert into operator_changes (tenant_id, actor, action, subject, outcome)
   values ($tenantId, 'carol', 'key_created', $subject, $outcome) returning id`,
);
const recordAgain = systemSql<never, { tenantId: number; id: number; subject: string }>(
  'test_record_operator_change_again',
  `insert into operator_changes (tenant_id, id, actor, action, subject, outcome)
   overriding system value values ($tenantId, $id, 'carol', 'key_created', $subject, 'done')`,
);
const recordEarlier = systemSql<never, { tenantId: number; subject: string; minutes: number }>(
  'test_record_earlier_operator_change',
  `insert into operator_changes (tenant_id, at, actor, action, subject, outcome)
   values ($tenantId, now() - $minutes::integer * interval '1 minute', 'carol', 'key_created', $subject, 'done')`,
);
/** Beside its creation. */
const subjectsOf = async (tenantId: number) =>
  (await world.database.system.many(entries, { tenantId }))
    .filter(({ action }) => action !== 'business_created')
    .map(({ subject }) => subject);

it('after a service’s database was restored, the numbers that come again are changes of their own', async () => {
  const { tenantId } = await world.signedIn();
  const { system } = world.gatewayWorld.database;
  const { id } = await system.one(record, { tenantId, subject: 'Before', outcome: 'done' });
  await eventually(async () => expect(await subjectsOf(tenantId)).toEqual(['Before']));
  await eventually(async () => expect((await system.one(kept, { tenantId })).count).toBe(0));
  await system.run(recordAgain, { tenantId, id, subject: 'After' });
  await eventually(async () => expect(await subjectsOf(tenantId)).toEqual(['Before', 'After']));
});

const refused = async () => {
  const { body } = await world.settings.internal.inject({ method: 'GET', url: '/metrics' });
  return Number(/^operator_changes_refused_total\{service="gateway"\} (\d+)$/m.exec(body)?.[1]);
};

it('a change that waits is counted once, also where turns end early', async () => {
  const { tenantId } = await world.signedIn();
  const { system } = world.gatewayWorld.database;
  const sql = <Row>(name: string, text: string) => systemSql<Row>(`test_${name}`, text);
  const before = await refused();
  // Nothing can be removed where it comes from; a sequence counts the turns that tried, as no rollback takes it back.
  await system.run(sql<never>('turns', 'create sequence turns'));
  await system.run(
    sql<never>(
      'refuse',
      `create function refuse() returns trigger language plpgsql as $$ begin
         perform nextval('turns'); raise 'refused'; end $$`,
    ),
  );
  await system.run(
    sql<never>(
      'refuse_removal',
      'create trigger refuse_removal before delete on operator_changes execute function refuse()',
    ),
  );
  try {
    await system.run(recordEarlier, { tenantId: tenantId + 1_000_000, subject: 'Of nobody', minutes: 5 });
    await system.run(record, { tenantId, subject: 'One', outcome: 'done' });
    const turns = sql<{ tried: number }>('count_turns', 'select last_value as tried from turns');
    await eventually(async () => expect((await system.one(turns)).tried).toBeGreaterThanOrEqual(8));
    expect(await refused()).toBe(before + 1);
  } finally {
    await system.run(sql<never>('remove_all', 'drop function refuse cascade'));
  }
  await system.run(ageByADay, { tenantId: tenantId + 1_000_000 });
  await eventually(async () =>
    expect((await system.one(kept, { tenantId: tenantId + 1_000_000 })).count).toBe(0),
  );
});

it('a change that can’t be read holds up no other; it is counted, and stays where it is', async () => {
  const { tenantId } = await world.signedIn();
  const { system } = world.gatewayWorld.database;
  const sql = (text: string) => systemSql<never>(`test_${text.slice(0, 50)}`, text);
  const metric = async (url: string, line: RegExp) =>
    Number(line.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const waited = () => metric(world.gateway.internalUrl, /^operator_changes_oldest_seconds (.+)$/m);
  const before = await refused();
  await eventually(async () => expect(await waited()).toBe(0));
  await system.run(sql('alter table operator_changes drop constraint operator_changes_outcome_check'));
  try {
    // Of a release that knows more, and one that the audit log's own table refuses.
    await system.run(record, { tenantId, subject: 'Unknown', outcome: 'perhaps' });
    for (const name of ['One', 'Two']) await system.run(record, { tenantId, subject: name, outcome: 'done' });
    await eventually(async () => expect((await subjectsOf(tenantId)).toSorted()).toEqual(['One', 'Two']));
    await eventually(async () => expect((await system.one(kept, { tenantId })).count).toBe(1));
    await eventually(async () => expect(await refused()).toBe(before + 1));
    await eventually(async () => expect(await waited()).toBeGreaterThan(2));
    // Tried again, it is counted no more; once it can be read, it follows.
    expect(await refused()).toBe(before + 1);
    await system.run(sql(`update operator_changes set outcome = 'done' where outcome = 'perhaps'`));
    // Beside the others: they may have one instant.
    await eventually(async () =>
      expect((await subjectsOf(tenantId)).toSorted()).toEqual(['One', 'Two', 'Unknown']),
    );
    await eventually(async () => expect(await waited()).toBe(0));
  } finally {
    await system.run(
      sql(`alter table operator_changes add constraint operator_changes_outcome_check
        check (outcome in ('started', 'done', 'refused'))`),
    );
  }
});

it('of a business that there isn’t, nothing is kept for who gets its number later', async () => {
  const { tenantId } = await world.signedIn();
  const nobody = tenantId + 1_000_000;
  expect((await atGateway('PATCH', `/internal/tenants/${nobody}`, { plan: 'pro' })).status).toBe(404);
  const send = world.webhooks.asOperator(nobody);
  expect((await send('DELETE', '/7')).status).toBe(404);
  const { system } = world.gatewayWorld.database;
  // What an operator did before there was the business is none of its changes either.
  await system.run(recordEarlier, { tenantId: nobody, subject: 'Of nobody', minutes: 25 * 60 });
  await system.run(recordEarlier, { tenantId, subject: 'Earlier', minutes: 25 * 60 });
  await atGateway('PATCH', `/internal/tenants/${tenantId}`, { plan: 'pro' });
  for (const id of [nobody, tenantId]) {
    await eventually(async () => expect((await system.one(kept, { tenantId: id })).count).toBe(0));
    await eventually(async () =>
      expect((await world.webhooks.database.system.one(kept, { tenantId: id })).count).toBe(0),
    );
  }
  expect(await subjectsOf(nobody)).toEqual([]);
  expect(await subjectsOf(tenantId)).toEqual(['plan: pro']);
});

it('a change by a clock that is behind is the business’s; one that seems to be nobody’s waits for a day', async () => {
  const { tenantId } = await world.signedIn();
  const nobody = tenantId + 1_000_000;
  const { system } = world.gatewayWorld.database;
  await system.run(recordEarlier, { tenantId: nobody, subject: 'Of nobody', minutes: 5 });
  await system.run(recordEarlier, { tenantId, subject: 'Hours before', minutes: 5 * 60 });
  await system.run(recordEarlier, { tenantId, subject: 'Behind', minutes: 30 });
  await eventually(async () => expect(await subjectsOf(tenantId)).toEqual(['Behind']));
  // A turn takes them in their order, and removes what it has taken.
  await eventually(async () => expect((await system.one(kept, { tenantId })).count).toBe(1));
  expect((await system.one(kept, { tenantId: nobody })).count).toBe(1);
  // The gateway's database was restored, with what it had lost.
  await system.run(ageBusiness, { tenantId });
  await eventually(async () => expect(await subjectsOf(tenantId)).toEqual(['Hours before', 'Behind']));
  await system.run(ageByADay, { tenantId: nobody });
  await eventually(async () => expect((await system.one(kept, { tenantId: nobody })).count).toBe(0));
});

it('what is collected late stands at its own time, and pages go on where they ended', async () => {
  const { tenantId, browser } = await world.signedIn();
  const { system } = world.gatewayWorld.database;
  await system.run(ageBusiness, { tenantId });
  const fill = systemSql<never, { tenantId: number }>(
    'test_fill_audit_log',
    `insert into audit_log (tenant_id, at, actor, action, subject, outcome)
     select $tenantId, now() - n * interval '2 minutes', 'x', 'key_created', 'Entry ' || n || '.', 'done'
     from generate_series(60, 1, -1) n`,
  );
  await world.database.system.run(fill, { tenantId });
  const numbersOn = (page: string) =>
    [...page.matchAll(/Entry (\d+)\./g)].map(([, number]) => Number(number));
  const first = (await browser.html('/settings/audit')).page;
  const [, older = ''] = /href="(\/settings\/audit\?before=\d+)"/.exec(first) ?? [];
  // An hour old, it stands between the 30th and the 31st: before what the next page begins with.
  await system.run(recordEarlier, { tenantId, subject: 'Late one', minutes: 60 });
  await eventually(async () => expect(await subjectsOf(tenantId)).toEqual(['Late one']));
  const second = (await browser.html(older)).page;
  expect([...numbersOn(first), ...numbersOn(second)]).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  expect(second).not.toContain('Late one');
  const again = (await browser.html('/settings/audit')).page;
  expect(again).toMatch(/Entry 29\.[\s\S]*Late one[\s\S]*Entry 31\./);
});

// Last: its processes go on collecting, and one that is late would remove a number that has come again.
it('two processes collect each change once, also while another service is away', async () => {
  const { tenantId } = await world.signedIn();
  // Neither asks webhooks: nothing answers there.
  await world.startSettings({ WEBHOOKS_INTERNAL_URL: NOBODY });
  await world.startSettings({ WEBHOOKS_INTERNAL_URL: NOBODY });
  const names = Array.from({ length: 20 }, (_, n) => `Key ${n}`);
  await atGateway('PATCH', `/internal/tenants/${tenantId}`, { quotas: { api_keys: 100 } });
  for (const name of names) await atGateway('POST', `/internal/tenants/${tenantId}/keys`, { name });
  await eventually(async () => {
    const found = await world.database.system.many(entries, { tenantId });
    const made = found.filter(({ action }) => action === 'key_created');
    expect(made.map(({ subject }) => subject.split(',')[0])).toEqual(names);
    expect((await world.gatewayWorld.database.system.one(kept, { tenantId })).count).toBe(0);
  });
});

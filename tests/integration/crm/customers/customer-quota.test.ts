import { keptQuota, PLAN_QUOTAS, type Quotas } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { createMetrics, startComponents } from '@frontdesk/service';
import { buildCrm } from '../../../../services/crm/src/app.ts';
import { eventually, lockWaits, logger } from '../../../support/index.ts';
import { signedRequests } from '../../../support/signed-requests.ts';
import { type CrmWorld, startCrm } from '../crm-world.ts';

const CUSTOMERS = '/api/v1/customers';
const calls = { issuer: 'calls', role: 'service' } as const;
const operator = { issuer: 'operator', role: 'operator' } as const;

const preload = systemSql<never, { tenantId: number; customers: number }>(
  'test_preload_customers',
  `insert into counts (tenant_id, counter, delta) values ($tenantId, 'customers', $customers)`,
);
const countersOf = systemSql<{ counter: string }, { tenantId: number }>(
  'test_counters',
  'select distinct counter from counts where tenant_id = $tenantId',
);
const setQuotas = systemSql<never, { tenantId: number; quotas: string }>(
  'test_set_quotas',
  'update tenants set quotas = $quotas::jsonb where tenant_id = $tenantId',
);

const fillStorage = systemSql<never, { tenantId: number }>(
  'test_fill_storage',
  'update tenants set storage_full = true where tenant_id = $tenantId',
);

let crm: CrmWorld;
beforeAll(async () => {
  crm = await startCrm();
});
afterAll(() => crm.stop());

const newTenant = (quotas?: Partial<Quotas>) =>
  crm.newTenant({ plan: 'starter', ...(quotas && { quotas: { ...PLAN_QUOTAS.starter, ...quotas } }) });
let nextNumber = 0;
const someone = () => {
  nextNumber += 1;
  return { name: 'Anna', phone: `+49301${String(nextNumber).padStart(6, '0')}` };
};
const create = (tenant: number, body: object = someone(), query = '', headers = {}) =>
  crm.api(tenant, 'POST', `${CUSTOMERS}${query}`, body, headers);
const byPhone = (tenant: number, body: object) =>
  crm.send('internal', calls, {
    method: 'POST',
    url: `/internal/tenants/${tenant}/customers/by-phone`,
    body: { create: true, ...body },
  });
const byAdmin = (tenant: number, body: object = someone()) =>
  crm.send(
    'internal',
    { issuer: 'settings-ui', role: 'admin', tenantId: tenant },
    { method: 'POST', url: `/internal/tenants/${tenant}/customers`, body },
  );
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const totalOf = async (tenant: number) => (await crm.api(tenant, 'GET', CUSTOMERS)).body.meta.total;
const usageOf = async (tenant: number) =>
  (
    await crm.send('internal', operator, {
      method: 'GET',
      url: `/internal/tenants/${tenant}/quota-usage`,
    })
  ).body.data;
const times = <Item>(count: number, make: (nth: number) => Item) =>
  Array.from({ length: count }, (_, nth) => make(nth));

describe('the quota of customers', () => {
  it('422: of twenty created at once in every way for the last place one is created', async () => {
    const tenant = newTenant({ customers: 3 });
    await create(tenant);
    await create(tenant);
    const ways = [
      () => create(tenant),
      () => byAdmin(tenant),
      () => byPhone(tenant, { phone: someone().phone }),
      () => create(tenant, someone(), '?if_exists=return'),
    ];
    const answers = await Promise.all(times(5, () => ways.map((way) => way())).flat());
    expect(statusesOf(answers)).toEqual([201, ...times(19, () => 422)]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'Your plan allows 3 customers, and there are 3.',
    });
    expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([3, { customers: 3 }]);
    expect(await crm.events(tenant)).toHaveLength(3);
  });

  it('who is there already is found above the quota too, and may be changed', async () => {
    const tenant = newTenant({ customers: 1 });
    const anna = someone();
    const { id } = (await create(tenant, anna)).body.data;
    expect((await create(tenant, anna)).body.errors).toEqual({
      phone: ['The phone has already been taken.'],
    });
    expect((await create(tenant, anna, '?if_exists=return')).status).toBe(200);
    expect((await byPhone(tenant, { phone: anna.phone })).body.data).toEqual({ customer_id: id });
    expect(
      (await byPhone(tenant, { phone: someone().phone, create: false })).body.data.customer_id,
    ).toBeNull();
    expect((await crm.api(tenant, 'PATCH', `${CUSTOMERS}/${id}`, { notes: 'Called.' })).status).toBe(200);
    expect((await create(tenant)).body.code).toBe('quota_exceeded');
  });

  it('an Idempotency-Key repeats the first answer above the quota, and a raised quota applies to others', async () => {
    const tenant = newTenant({ customers: 1 });
    const anna = someone();
    const key = { 'idempotency-key': 'anna' };
    const first = await create(tenant, anna, '', key);
    const again = await create(tenant, anna, '', key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    expect((await create(tenant)).status).toBe(422);
    await crm.database.system.run(setQuotas, { tenantId: tenant, quotas: JSON.stringify({ customers: 2 }) });
    // A process remembers a tenant for some seconds.
    await eventually(async () => expect((await create(tenant)).status).toBe(201));
    expect((await create(tenant)).status).toBe(422);
  });

  it('is not in force before the tenant’s record names it', async () => {
    const tenant = newTenant();
    await crm.database.system.run(preload, { tenantId: tenant, customers: PLAN_QUOTAS.enterprise.customers });
    expect((await create(tenant)).status).toBe(201);
  });

  it('two processes never pass it, also where both remember the business as far from it', async () => {
    const allowed = 2_050;
    const tenant = newTenant({ customers: allowed });
    const other = await buildCrm(crm.config, { logger, metrics: createMetrics() });
    const running = await startComponents(
      other.components.filter(({ name }) => name === 'database'),
      logger,
    );
    const requests = signedRequests('crm');
    const integrator = { issuer: 'gateway', role: 'integrator', tenantId: tenant } as const;
    const createAtOther = () =>
      requests.send(other.api, integrator, { method: 'POST', url: CUSTOMERS, body: someone() });
    // Both read that it is far, and remember that for some additions.
    await crm.database.system.run(preload, { tenantId: tenant, customers: 1_040 });
    expect(statusesOf([await create(tenant), await createAtOther()])).toEqual([201, 201]);
    // The one comes to where customers are counted, and all places but three are taken.
    for (let nth = 0; nth < 20; nth += 1) expect((await create(tenant)).status).toBe(201);
    await crm.database.system.run(preload, {
      tenantId: tenant,
      customers: allowed - 3 - (await totalOf(tenant)),
    });
    expect(
      statusesOf(await Promise.all(times(20, () => create(tenant)))).filter((status) => status === 201),
    ).toHaveLength(3);
    // The other still remembers that it was far.
    for (let nth = 0; nth < 6; nth += 1) expect((await createAtOther()).body.code).toBe('quota_exceeded');
    expect(await totalOf(tenant)).toBe(allowed);
    await running.stop();
  });

  it('a business that keeps what it had is far from it: nobody counts', async () => {
    const used = PLAN_QUOTAS.starter.customers + 1;
    const tenant = newTenant({ customers: keptQuota(used) });
    await crm.database.system.run(preload, { tenantId: tenant, customers: used });
    expect(statusesOf(await Promise.all(times(10, () => create(tenant))))).toEqual(times(10, () => 201));
    const counters = (await crm.database.system.many(countersOf, { tenantId: tenant })).map(
      ({ counter }) => counter,
    );
    expect(counters).toContain('customers');
    expect(counters.filter((counter) => counter.startsWith('near/'))).toEqual([]);
  });

  it('far from it a creation waits for no other of the business', async () => {
    const tenant = newTenant({});
    const held = await holdNumber(tenant);
    // Waits for the number that a transaction of somebody else holds.
    const waiting = create(tenant, held.owner);
    await held.untilWaiting('rows');
    expect(statusesOf(await Promise.all(times(10, () => create(tenant))))).toEqual(times(10, () => 201));
    await held.release();
    expect((await waiting).status).toBe(201);
    expect(await totalOf(tenant)).toBe(11);
  });

  it('who counts waits for a creation without a count that is under way', async () => {
    const allowed = 2_050;
    const tenant = newTenant({ customers: allowed });
    // What this process remembers of being far from it lasts for one more then.
    for (let nth = 0; nth < 4; nth += 1) expect((await create(tenant)).status).toBe(201);
    const held = await holdNumber(tenant);
    const uncounted = create(tenant, held.owner);
    await held.untilWaiting('rows');
    // From now on one place is left, which is the waiting creation's.
    await crm.database.system.run(preload, { tenantId: tenant, customers: allowed - 5 });
    const counted = times(4, () => create(tenant));
    await held.untilWaiting('advisory');
    await held.release();
    expect((await uncounted).status).toBe(201);
    expect(statusesOf(await Promise.all(counted))).toEqual([422, 422, 422, 422]);
    expect(await totalOf(tenant)).toBe(allowed);
  });

  it('a creation without a count never passes one that counts', async () => {
    const tenant = newTenant({});
    expect((await create(tenant)).status).toBe(201);
    const held = await holdNumber(tenant);
    // As a process does that counts: others, which remember the business as far from it, see nothing of that yet.
    await held.query(
      `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'quota', 'tenant_id', $1::bigint, 'customers'), 0))`,
      [tenant],
    );
    const remembering = create(tenant);
    await held.untilWaiting('advisory');
    await held.release();
    expect((await remembering).status).toBe(201);
  });
});

/** Somebody who is added in a transaction that doesn't end yet. */
async function holdNumber(tenant: number) {
  const owner = someone();
  const client = new crm.database.Client({ connectionString: crm.database.url });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into customers (tenant_id, name, phone, phone_e164, phone_digits, segment, source, search_text)
     values ($1, 'Anna', $2, $2, $3, 'lead', 'api', 'anna')`,
    [tenant, owner.phone, owner.phone.slice(1)],
  );
  return {
    owner,
    query: (text: string, values: unknown[]) => client.query(text, values),
    /** Until a request waits for a lock of this kind. */
    untilWaiting: (kind: 'rows' | 'advisory') =>
      eventually(async () => expect((await lockWaits(crm.database))[kind]).toBeGreaterThan(0)),
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}

describe('a business that stores too much', () => {
  it('422: adds no customers; who is there is found and may be changed, with longer notes too', async () => {
    const tenant = newTenant({});
    const anna = someone();
    const { id } = (await create(tenant, { ...anna, notes: 'Allergic to nuts.' })).body.data;
    await crm.database.system.run(fillStorage, { tenantId: tenant });
    const refused = await eventually(async () => {
      const answer = await create(tenant);
      expect(answer.status).toBe(422);
      return answer;
    });
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'Your plan allows 20000000000 stored bytes, and there are more: nothing can be added.',
    });
    expect((await byPhone(tenant, { phone: someone().phone })).body.code).toBe('quota_exceeded');
    expect((await byAdmin(tenant)).body.code).toBe('quota_exceeded');
    expect((await byPhone(tenant, { phone: anna.phone })).body.data.customer_id).toBe(id);
    expect((await create(tenant, anna, '?if_exists=return')).status).toBe(200);
    expect((await create(tenant, anna)).body.code).toBe('validation_failed');
    const change = (body: object) => crm.api(tenant, 'PATCH', `${CUSTOMERS}/${id}`, body);
    expect((await change({ segment: 'vip' })).status).toBe(200);
    expect((await change({ notes: 'Allergic to nuts and milk.' })).status).toBe(200);
  });
});

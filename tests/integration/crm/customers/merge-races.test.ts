import { PLAN_QUOTAS } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { changeCustomer } from '../../../../services/crm/src/customers/change-customer.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';
import { add, asAdmin, eventsOf, get, heldMerge, merge, untilWaiting, whoHas } from '../merges.ts';

const [OF_ANNA, OF_HANNA] = ['+493023125123', '+4915123456789'];

describe('a merge while others change the same customers', () => {
  let anna: number;
  let hanna: number;
  startForEachTest();
  beforeEach(async () => {
    anna = await add('Anna', OF_ANNA);
    hanna = await add('Hanna', OF_HANNA);
  });

  const create = (phone: string, query = '') =>
    crm.api(tenant, 'POST', `/api/v1/customers${query}`, { name: 'Ben', phone });
  const total = async () => (await crm.api(tenant, 'GET', '/api/v1/customers')).body.meta.total;

  it('of two that merge each into the other one wins, and the other hears who is left', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const [one, other] = [
        await add('One', `030 23126 1${turn}0`),
        await add('Other', `030 23126 2${turn}0`),
      ];
      const answers = await Promise.all([merge(one, { merged_id: other }), merge(other, { merged_id: one })]);
      const left = answers[0].status === 200 ? one : other;
      const gone = left === one ? other : one;
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      expect(answers.find(({ status }) => status === 404)?.body.data).toEqual({ merged_into: left });
      expect([(await get(left)).status, (await get(gone)).body.data]).toEqual([200, { merged_into: left }]);
      expect(await eventsOf(gone)).toEqual(['customer.created 1', 'customer.merged 2']);
    }
  });

  it('of 8 that merge one customer into different ones one wins, and the others hear into whom', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => add(`C${n}`, `030 23126 20${n}`)));
    const answers = await Promise.all(ids.map((id) => merge(id, { merged_id: hanna })));
    const winner = ids[answers.findIndex(({ status }) => status === 200)];
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(7);
    for (const { status, body } of lost)
      expect([status, body.errors.merged_id]).toEqual([
        422,
        [`The customer has been merged into ${winner}.`],
      ]);
    expect(await whoHas(OF_HANNA)).toBe(winner);
    expect((await eventsOf(hanna)).filter((event) => event.startsWith('customer.merged'))).toHaveLength(1);
  });

  it('a ring of merges at once ends with no one left behind, and no deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => add(`C${n}`, `030 23126 30${n}`)));
    const answers = await Promise.all(
      ids.map((id, n) => merge(id, { merged_id: ids[(n + 1) % ids.length] as number })),
    );
    for (const { status } of answers) expect([200, 404, 422]).toContain(status);
    for (const [n, id] of ids.entries()) {
      const { status, body } = await get(id);
      const holder = await whoHas(`030 23126 30${n}`);
      expect(holder).toBe(status === 200 ? id : body.data.merged_into);
      expect((await get(holder as number)).status).toBe(200);
    }
  });

  it('404: a change of the one that goes, which had to wait for the merge', async () => {
    const held = await heldMerge(anna, { merged_id: hanna });
    const changed = crm.api(tenant, 'PATCH', `/api/v1/customers/${hanna}`, { notes: 'Tea' });
    await untilWaiting(1);
    await held.commit();
    expect([(await changed).status, (await changed).body.data]).toEqual([404, { merged_into: anna }]);
    expect(await eventsOf(hanna)).toEqual(['customer.created 1', 'customer.merged 2']);
  });

  it('a change of the one that stays, which had to wait for the merge, is made', async () => {
    const held = await heldMerge(anna, { merged_id: hanna, name: 'Hanna' });
    const changed = crm.api(tenant, 'PATCH', `/api/v1/customers/${anna}`, { notes: 'Tea' });
    await untilWaiting(1);
    await held.commit();
    expect((await changed).body.data).toMatchObject({ name: 'Hanna', notes: 'Tea' });
    expect(await eventsOf(anna)).toEqual(['customer.created 1', 'customer.updated 2', 'customer.updated 3']);
  });

  it('edits of both at once are in the merge, or refused', async () => {
    const answers = await Promise.all([
      ...[1, 2, 3].map((n) => crm.api(tenant, 'PATCH', `/api/v1/customers/${hanna}`, { notes: `H${n}` })),
      ...[1, 2, 3].map((n) => crm.api(tenant, 'PATCH', `/api/v1/customers/${anna}`, { notes: `A${n}` })),
      merge(anna, { merged_id: hanna }),
    ]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    for (const id of [anna, hanna]) {
      const versions = (await eventsOf(id)).map((event) => Number(event.split(' ')[1]));
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    }
    expect((await eventsOf(hanna)).at(-1)).toMatch(/^customer.merged/);
  });

  it.each([
    ['the number of the one that goes', false, OF_HANNA],
    ['the number that the one that stays gives up', true, OF_ANNA],
    ['the number that the one that stays takes', true, OF_HANNA],
  ])('who adds a customer with %s meanwhile gets the one that stays', async (_which, takes_phone, phone) => {
    const held = await heldMerge(anna, { merged_id: hanna, takes_phone });
    const [created, returned] = [create(phone), create(phone, '?if_exists=return')];
    await untilWaiting(2);
    await held.commit();
    expect((await created).status).toBe(422);
    expect([(await returned).status, (await returned).body.data.id]).toEqual([200, anna]);
    expect([await total(), await whoHas(phone)]).toEqual([1, anna]);
    expect((await crm.events(tenant)).filter(({ type }) => type === 'customer.created')).toHaveLength(2);
  });

  it('422: nor does a customer get a number that was free, and is a merged one’s by the time of the change', async () => {
    const ben = await add('Ben', '030 23125 500');
    const [reached, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const scope = crm.database.forTenant(tenant);
    const gated = {
      ...scope,
      transaction: (work: Parameters<TenantScope['transaction']>[0]) =>
        scope.transaction((tx) => {
          const one = async (...args: Parameters<typeof tx.one>) => {
            if (args[0].name === 'customers_update') {
              reached.resolve();
              await passed.promise;
            }
            return tx.one(...args);
          };
          return work({ ...tx, one: one as typeof tx.one }, undefined);
        }),
    } as TenantScope;
    const tenantProfile = { country: 'DE', currency: 'EUR', quotas: PLAN_QUOTAS.pro, storage_full: false };
    const change = {
      id: ben,
      body: { phone: '030 23125 600' },
      tenant: tenantProfile,
      requireVersion: () => {},
    };
    const changed = changeCustomer(gated, change).catch((error: unknown) => error);
    await reached.promise;
    await asAdmin('PATCH', `/customers/${hanna}`, { phone: '030 23125 600' });
    const held = await heldMerge(anna, { merged_id: hanna });
    passed.resolve();
    await untilWaiting(1);
    await held.commit();
    expect(await changed).toMatchObject({
      faults: { phone: [{ reason: 'phone_taken', customer: { id: anna, name: 'Anna' } }] },
    });
    expect(await whoHas('030 23125 600')).toBe(anna);
  });
});

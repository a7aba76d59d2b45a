import type { CustomerListEntry } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { crm, startForEachTest, tenant } from '../each-test.ts';
import { add, asAdmin, eventsOf, get, merge, whoHas } from '../merges.ts';

const [OF_ANNA, OF_HANNA] = ['+493023125123', '+4915123456789'];
const ANNA = { email: 'anna@example.com', segment: 'active', pipeline_stage: 'won', notes: 'Tea' };
const HANNA = { email: 'hanna@example.com', segment: 'vip', pipeline_stage: 'new', notes: 'Milk' };

describe('POST /internal/tenants/{tenant_id}/customers/{id}/merge', () => {
  let anna: number;
  let hanna: number;
  startForEachTest();
  beforeEach(async () => {
    anna = await add('Anna Weber', '030 23125 123', ANNA);
    hanna = await add('Hanna Weber', '0151 2345 6789', HANNA);
  });

  const list = async (query: string) => (await crm.api(tenant, 'GET', `/api/v1/customers?${query}`)).body;
  const found = async (query: string): Promise<number[]> =>
    (await list(query)).data.map(({ id }: CustomerListEntry) => id);

  it('200: the customer has each field as it was chosen, and is found by them', async () => {
    const { name, ...fields } = { name: 'Hanna Anna Weber', ...HANNA, notes: 'Tea\n\nMilk' };
    const before = (await get(anna)).body.data;
    const { status, body, headers } = await merge(anna, {
      merged_id: hanna,
      takes_phone: true,
      name,
      ...fields,
    });
    expect([status, headers.etag?.slice(0, 3)]).toEqual([200, '"2-']);
    expect(body.data).toEqual({
      ...before,
      name,
      ...fields,
      phone: '0151 2345 6789',
      updated_at: body.data.updated_at,
    });
    expect(body.data.updated_at > before.updated_at).toBe(true);
    expect((await get(anna)).body).toEqual(body);
    for (const query of [
      'search=hanna+anna',
      'search=hanna%40',
      'search=23456789',
      'search=23125',
      'segment=vip',
    ])
      expect([query, await found(query)]).toEqual([query, [anna]]);
    for (const query of ['search=anna%40example.com&pipeline_stage=won', 'segment=active'])
      expect([query, await found(query)]).toEqual([query, []]);
  });

  it.each([
    ['name', { name: 'Hanna' }],
    ['email', { email: 'hanna@example.com' }],
    ['no email', { email: null }],
    ['segment', { segment: 'vip' }],
    ['pipeline_stage', { pipeline_stage: 'new' }],
    ['notes', { notes: 'Milk' }],
    ['no notes', { notes: null }],
    ['nothing', {}],
  ])('200: of the other customer %s alone', async (_what, fields) => {
    const before = (await get(anna)).body.data;
    const { body } = await merge(anna, { merged_id: hanna, ...fields });
    expect(body.data).toEqual({ ...before, ...fields, updated_at: body.data.updated_at });
  });

  it('one event says who is part of whom, and one how the other is now', async () => {
    await crm.api(tenant, 'PATCH', `/api/v1/customers/${hanna}`, { notes: 'Coffee' });
    const { body } = await merge(anna, { merged_id: hanna });
    expect(await eventsOf(hanna)).toEqual(['customer.created 1', 'customer.updated 2', 'customer.merged 3']);
    expect(await eventsOf(anna)).toEqual(['customer.created 1', 'customer.updated 2']);
    const [merged, updated] = (await crm.events(tenant)).slice(-2);
    expect(merged?.data).toEqual({
      id: hanna,
      merged_into: anna,
      phone: '0151 2345 6789',
      merged_at: expect.any(String),
    });
    expect(updated?.data).toEqual(body.data);
  });

  describe.each([
    ['the number that the customer had', false],
    ['the other one', true],
  ])('with %s', (_which, takes_phone) => {
    beforeEach(async () => {
      await merge(anna, { merged_id: hanna, takes_phone });
    });

    it('both numbers lead to the customer', async () => {
      expect((await get(anna)).body.data.phone).toBe(takes_phone ? '0151 2345 6789' : '030 23125 123');
      const last = (await crm.events(tenant)).find(({ type }) => type === 'customer.merged');
      expect(last?.data.phone).toBe(takes_phone ? '030 23125 123' : '0151 2345 6789');
      for (const phone of [OF_ANNA, OF_HANNA]) {
        const text = encodeURIComponent(phone);
        expect([phone, await whoHas(phone)]).toEqual([phone, anna]);
        for (const query of [
          `phone=${text}`,
          `search=${text}`,
          `phone=${text}&segment=active&sort=updated_at`,
        ]) {
          const { data, meta } = await list(query);
          expect([query, data.map(({ id }: CustomerListEntry) => id), meta.total]).toEqual([
            query,
            [anna],
            1,
          ]);
        }
        expect(await found(`search=${text}&segment=lead`)).toEqual([]);
      }
    });

    it('422: neither number is another customer’s, by whatever way; with if_exists=return the answer is this one', async () => {
      const other = await add('Ben', '030 23125 500');
      const taken = {
        phone: [{ reason: 'phone_taken', customer: { id: anna, name: 'Anna Weber' } }],
      };
      for (const phone of [OF_ANNA, OF_HANNA]) {
        const created = await asAdmin('POST', '/customers', { name: 'Chris', phone });
        const changed = await asAdmin('PATCH', `/customers/${other}`, { phone });
        for (const { status, body } of [created, changed])
          expect([status, body.reasons]).toEqual([422, taken]);
        const returned = await crm.api(tenant, 'POST', '/api/v1/customers?if_exists=return', {
          name: 'Chris',
          phone,
        });
        expect([returned.status, returned.body.data.id]).toEqual([200, anna]);
        const byCall = await crm.send(
          'internal',
          { issuer: 'calls', role: 'service' },
          {
            method: 'POST',
            url: `/internal/tenants/${tenant}/customers/by-phone`,
            body: { phone, create: true },
          },
        );
        expect([byCall.status, byCall.body.data]).toEqual([200, { customer_id: anna }]);
      }
      expect((await list('')).meta.total).toBe(2);
    });

    it('the customer may have the one instead of the other later on: both stay theirs', async () => {
      for (const phone of [OF_ANNA, OF_HANNA]) {
        const { status, body } = await asAdmin('PATCH', `/customers/${anna}`, { phone });
        expect([status, body.data.phone]).toEqual([200, phone]);
        for (const each of [OF_ANNA, OF_HANNA]) expect([phone, await whoHas(each)]).toEqual([phone, anna]);
      }
      // Each time the event says which number is not shown now.
      const said = (await crm.events(tenant)).filter(({ type }) => type === 'customer.merged');
      const ends = ({ phone }: { phone: string }) =>
        [OF_ANNA, OF_HANNA].find((each) => phone.endsWith(each.slice(-3)));
      expect(said.map(({ data }) => ends(data as { phone: string }))).toEqual(
        takes_phone ? [OF_ANNA, OF_HANNA, OF_ANNA] : [OF_HANNA, OF_ANNA],
      );
      const [first = 0, ...later] = said.map(({ aggregate_version }) => aggregate_version);
      expect(later).toEqual(later.map((_, nth) => first + 1 + nth));
    });

    it('each is given up by a change of the number that is shown, and is free then', async () => {
      for (const phone of [OF_HANNA, '030 23125 700', OF_ANNA, '030 23125 701'])
        expect((await asAdmin('PATCH', `/customers/${anna}`, { phone })).status).toBe(200);
      for (const phone of [OF_ANNA, OF_HANNA]) expect([phone, await whoHas(phone)]).toEqual([phone, null]);
      expect(await whoHas('030 23125 701')).toBe(anna);
    });
  });

  it('the other one is in no list, search, count, and no stage of theirs is in use', async () => {
    await merge(anna, { merged_id: hanna });
    expect((await list('')).meta.total).toBe(1);
    for (const query of ['', 'search=hanna', 'segment=vip', 'pipeline_stage=new', 'search=weber&sort=name'])
      expect([query, await found(query)]).toEqual([
        query,
        query === '' || query.includes('weber') ? [anna] : [],
      ]);
    expect((await asAdmin('GET', '/customers/similar?search=hnana')).body.data).toEqual([]);
    expect((await asAdmin('GET', '/customer-counts')).body.data.segments).toEqual({
      lead: 0,
      active: 1,
      inactive: 0,
      vip: 0,
    });
    expect((await asAdmin('GET', '/pipeline-stages')).body.data).toEqual(['won']);
    expect((await asAdmin('GET', '/quota-usage')).body.data).toEqual({ customers: 1 });
  });

  it('counts the customer where the other one’s segment and stage were chosen', async () => {
    await merge(anna, { merged_id: hanna, segment: 'vip', pipeline_stage: 'new' });
    expect((await asAdmin('GET', '/customer-counts')).body.data.segments).toMatchObject({
      active: 0,
      vip: 1,
    });
    expect((await asAdmin('GET', '/pipeline-stages')).body.data).toEqual(['new']);
    expect((await list('')).meta.total).toBe(1);
  });

  const setQuota = systemSql<never, { tenantId: number }>(
    'test_full_quota',
    `update tenants set quotas = '{"customers": 2}'::jsonb, storage_full = true where tenant_id = $tenantId`,
  );
  it('200: also where the business has as many as its plan allows', async () => {
    await crm.database.system.run(setQuota, { tenantId: tenant });
    expect((await merge(anna, { merged_id: hanna, notes: 'Longer than before' })).status).toBe(200);
  });

  it('404 names the customer, for integrators and admins', async () => {
    await merge(anna, { merged_id: hanna });
    const path = `/customers/${hanna}`;
    for (const { status, body, headers } of [
      await get(hanna),
      await crm.api(tenant, 'PATCH', `/api/v1${path}`, { name: 'Hanna' }),
      await asAdmin('GET', path),
      await asAdmin('PATCH', path, { phone: '030 23125 900' }),
      await merge(hanna, { merged_id: anna }),
    ]) {
      expect([status, headers.etag, body]).toEqual([
        404,
        undefined,
        {
          success: false,
          code: 'not_found',
          message: 'Customer not found.',
          request_id: body.request_id,
          data: { merged_into: anna },
        },
      ]);
    }
    const elsewhere = await crm.api(crm.newTenant(), 'GET', `/api/v1${path}`);
    expect([elsewhere.status, elsewhere.body.data]).toEqual([404, undefined]);
  });

  it('whoever asks for names by the old id gets those of the customer', async () => {
    await merge(anna, { merged_id: hanna });
    const ids = [hanna, anna, 999_999_999, hanna];
    const named = { name: 'Anna Weber', phone: '030 23125 123' };
    expect((await asAdmin('POST', '/customers/by-ids', { ids })).body.data).toEqual([
      { id: anna, ...named },
      { id: hanna, ...named, merged_into: anna },
    ]);
    const other = crm.newTenant();
    expect((await asAdmin('POST', '/customers/by-ids', { ids }, { tenantId: other })).body.data).toEqual([]);
  });

  it('a chain of merges leads to its end from every link and every number', async () => {
    const last = await add('Johanna Weber', '0160 1234567');
    await merge(anna, { merged_id: hanna, takes_phone: true });
    await merge(last, { merged_id: anna });
    for (const id of [hanna, anna])
      expect([(await get(id)).status, (await get(id)).body.data]).toEqual([404, { merged_into: last }]);
    for (const phone of [OF_ANNA, OF_HANNA, '+491601234567']) expect(await whoHas(phone)).toBe(last);
    const named = (await asAdmin('POST', '/customers/by-ids', { ids: [anna, hanna, last] })).body.data;
    expect(named.map(({ name }: { name: string }) => name)).toEqual(Array(3).fill('Johanna Weber'));
    expect(await eventsOf(hanna)).toEqual(['customer.created 1', 'customer.merged 2']);
    expect(await eventsOf(anna)).toEqual(['customer.created 1', 'customer.updated 2', 'customer.merged 3']);
  });

  it.each([
    ['the one that stays', () => [{ 'if-match': '"1"' }, {}]],
    ['the one that goes', () => [{}, { merged_if_match: '"1-digest"' }]],
  ])('412: somebody has changed %s; nothing is done', async (which, make) => {
    const changed = which === 'the one that stays' ? anna : hanna;
    await crm.api(tenant, 'PATCH', `/api/v1/customers/${changed}`, { notes: 'Coffee' });
    const [headers, fields] = make() as [Record<string, string>, object];
    const { status, body } = await merge(anna, { merged_id: hanna, ...fields }, { headers });
    expect([status, body.code]).toEqual([412, 'precondition_failed']);
    expect((await get(hanna)).status).toBe(200);
    const events = await Promise.all([anna, hanna].map(eventsOf));
    expect(events.flat().filter((event) => event.startsWith('customer.merged'))).toEqual([]);
  });

  it('200: with the ETags of both as they were shown', async () => {
    const [one, other] = [await get(anna), await get(hanna)].map(({ headers }) => String(headers.etag));
    const body = { merged_id: hanna, merged_if_match: other };
    expect((await merge(anna, body, { headers: { 'if-match': String(one) } })).status).toBe(200);
  });

  it('422 on merged_id: the same customer, nobody, another business’s, and one who was merged already, into whom', async () => {
    const elsewhere = crm.newTenant();
    const body = { name: 'Zoe', phone: '030 23125 123' };
    const foreign = (await crm.api(elsewhere, 'POST', '/api/v1/customers', body)).body.data.id;
    const merged_id = async (id: number) => {
      const answer = await merge(anna, { merged_id: id });
      return [answer.status, answer.body.errors, answer.body.reasons];
    };
    expect(await merged_id(anna)).toEqual([
      422,
      { merged_id: ['The merged_id field must be another customer.'] },
      undefined,
    ]);
    for (const id of [foreign, 999_999_999])
      expect(await merged_id(id)).toEqual([
        422,
        { merged_id: ['The selected merged_id is invalid.'] },
        { merged_id: [{ reason: 'customer_gone' }] },
      ]);
    const ben = await add('Ben', '030 23125 500');
    await merge(ben, { merged_id: hanna });
    expect(await merged_id(hanna)).toEqual([
      422,
      { merged_id: [`The customer has been merged into ${ben}.`] },
      { merged_id: [{ reason: 'customer_gone' }] },
    ]);
    expect((await crm.api(elsewhere, 'GET', `/api/v1/customers/${foreign}`)).status).toBe(200);
  });

  it('404: into nobody, and into another business’s customer, whatever that one’s own is', async () => {
    const elsewhere = crm.newTenant();
    const body = { name: 'Zoe', phone: '030 23125 123' };
    const foreign = (await crm.api(elsewhere, 'POST', '/api/v1/customers', body)).body.data.id;
    for (const answer of [
      await merge(999_999_999, { merged_id: hanna }),
      await merge(foreign, { merged_id: hanna }),
      await merge(anna, { merged_id: foreign }, { tenantId: elsewhere }),
    ])
      expect([answer.status, answer.body.data]).toEqual([404, undefined]);
    expect(await crm.events(elsewhere)).toHaveLength(1);
    expect((await get(hanna)).status).toBe(200);
  });

  it('422: fields that are none, each by its name', async () => {
    const { status, body } = await merge(anna, {
      merged_id: 'x',
      takes_phone: 'perhaps',
      segment: 'gold',
      email: 5,
      name: '',
    });
    expect([status, Object.keys(body.errors).toSorted()]).toEqual([
      422,
      ['email', 'merged_id', 'name', 'segment', 'takes_phone'],
    ]);
  });

  it('403: for services and integrators', async () => {
    const url = `/internal/tenants/${tenant}/customers/${anna}/merge`;
    const body = { merged_id: hanna };
    for (const caller of [
      { issuer: 'scheduling', role: 'service' },
      { issuer: 'gateway', role: 'integrator', tenantId: tenant },
    ] as const)
      expect([
        caller.role,
        (await crm.send('internal', caller, { method: 'POST', url, body })).status,
      ]).toEqual([caller.role, 403]);
  });

  it('403: where the business is suspended', async () => {
    const suspended = crm.newTenant({ status: 'suspended' });
    // What is read of it makes the service know it.
    await asAdmin('GET', '/customers/1', undefined, { tenantId: suspended });
    const { status, body } = await merge(1, { merged_id: 2 }, { tenantId: suspended });
    expect([status, body.code]).toEqual([403, 'tenant_suspended']);
  });

  it('the snapshot has those who were merged too, with the version of their last event, in order with the others', async () => {
    const last = await add('Johanna Weber', '0160 1234567');
    await merge(last, { merged_id: hanna });
    await merge(last, { merged_id: anna });
    const url = `/internal/snapshots/customers?after_tenant=${tenant - 1}`;
    const caller = { issuer: 'calls', role: 'service' } as const;
    const entries = (await crm.send('internal', caller, { method: 'GET', url })).body.data.filter(
      ({ tenant_id }: { tenant_id: number }) => tenant_id === tenant,
    );
    const merged = (id: number, phone: string) => ({
      tenant_id: tenant,
      aggregate_id: id,
      aggregate_version: 2,
      data: { id, merged_into: last, phone, merged_at: expect.any(String) },
    });
    expect(entries).toEqual([
      merged(anna, '030 23125 123'),
      merged(hanna, '0151 2345 6789'),
      expect.objectContaining({ aggregate_id: last, aggregate_version: 3 }),
    ]);
    const events = await crm.events(tenant);
    for (const { aggregate_id, data } of entries.slice(0, 2))
      expect(
        events.findLast((event: { aggregate_id: number }) => event.aggregate_id === aggregate_id)?.data,
      ).toEqual(data);
  });
});

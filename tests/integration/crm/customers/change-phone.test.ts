import { crm, startForEachTest, tenant } from '../each-test.ts';

describe('a customer’s number, as those who run the business correct it', () => {
  let id: number;
  startForEachTest();
  const add = async (name: string, phone: string) =>
    (await crm.api(tenant, 'POST', '/api/v1/customers', { name, phone })).body.data.id as number;
  beforeEach(async () => {
    id = await add('Anna Weber', '030 23125 123');
  });

  const patch = (body: object, { headers = {}, of = id, tenantId = tenant } = {}) =>
    crm.send(
      'internal',
      { issuer: 'settings-ui', role: 'admin', tenantId },
      {
        method: 'PATCH',
        url: `/internal/tenants/${tenantId}/customers/${of}`,
        body,
        headers,
      },
    );
  const calls = { issuer: 'calls', role: 'service' } as const;
  const ownerOf = async (phone: string) =>
    (
      await crm.send('internal', calls, {
        method: 'POST',
        url: `/internal/tenants/${tenant}/customers/by-phone`,
        body: { phone, create: false },
      })
    ).body.data.customer_id;
  const found = async (query: string) =>
    (await crm.api(tenant, 'GET', `/api/v1/customers?${query}`)).body.data.map(
      (row: { id: number }) => row.id,
    );

  it('is found by the new one everywhere and by the old one nowhere; one event says so', async () => {
    const { status, body, headers } = await patch({ phone: '0151 2345 6789' });
    expect([status, body.data.phone, headers.etag?.slice(0, 3)]).toEqual([200, '0151 2345 6789', '"2-']);
    expect(await ownerOf('+4915123456789')).toBe(id);
    expect(await ownerOf('+493023125123')).toBeNull();
    for (const query of ['phone=0151+23456789', 'search=23456789', 'search=%2B49151'])
      expect([query, await found(query)]).toEqual([query, [id]]);
    for (const query of ['phone=030+23125123', 'search=23125'])
      expect([query, await found(query)]).toEqual([query, []]);
    const events = await crm.events(tenant);
    expect(events.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['customer.created', 1],
      ['customer.updated', 2],
    ]);
    expect(events.at(-1)?.data).toEqual(body.data);
    // The old one is free.
    expect(await add('Ben', '030 23125 123')).not.toBe(id);
  });

  it('the same number in another notation is no change of number', async () => {
    expect((await patch({ phone: '+49 30 23125-123' })).body.data.phone).toBe('+49 30 23125-123');
    expect((await patch({ phone: '+49 30 23125-123' })).headers.etag).toMatch(/^"2-/);
    expect((await patch({ notes: 'Tea' })).status).toBe(200);
    expect(await ownerOf('030 23125123')).toBe(id);
  });

  it.each([
    ['12', 'The phone field must be a phone number.', { reason: 'not_phone_number', country: 'DE' }],
    ['call me', 'The phone field must be a phone number.', { reason: 'not_phone_number', country: 'DE' }],
    ['  ', 'The phone field is required.', { reason: 'required' }],
    [null, 'The phone field cannot be null.', null],
    [5, 'The phone field must be a string.', null],
    [['1'], 'The phone field must be a string.', null],
  ])('422: %j', async (phone, message, reason) => {
    const { status, body } = await patch({ phone, notes: 'Tea' });
    expect([status, body.errors]).toEqual([422, { phone: [message] }]);
    if (reason) expect(body.reasons.phone).toEqual([reason]);
    expect(await crm.events(tenant)).toHaveLength(1);
  });

  it('422: another customer has it, in whatever way it is written; another business’s does not count', async () => {
    const other = await add('Grace Wilson', '0151 2345 6789');
    const { status, body } = await patch({ phone: '+49 151 23456789', name: 'B' });
    expect([status, body.errors]).toEqual([422, { phone: ['The phone has already been taken.'] }]);
    expect(body.reasons).toEqual({
      phone: [{ reason: 'phone_taken', customer: { id: other, name: 'Grace Wilson' } }],
    });
    expect((await patch({ phone: '0151 2345 6789' }, { tenantId: crm.newTenant() })).status).toBe(404);
    const elsewhere = crm.newTenant();
    await crm.api(elsewhere, 'POST', '/api/v1/customers', { name: 'Z', phone: '0160 1234567' });
    expect((await patch({ phone: '0160 1234567' })).status).toBe(200);
  });

  it('of 10 customers who want one number at once one gets it, and the others hear whose it is', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => add(`C${n}`, `030 23125 20${n}`)));
    const answers = await Promise.all(ids.map((of) => patch({ phone: '0151 2345 6789' }, { of })));
    const winner = ids[answers.findIndex(({ status }) => status === 200)];
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(9).fill(422),
    ]);
    for (const { status, body } of answers)
      if (status === 422) expect(body.reasons.phone[0].customer.id).toBe(winner);
    expect(await ownerOf('0151 23456789')).toBe(winner);
  });

  it('412: somebody else was faster', async () => {
    const headers = { 'if-match': '"1"' };
    expect((await patch({ phone: '0151 2345 6789' }, { headers })).status).toBe(200);
    expect((await patch({ phone: '0151 2345 6780' }, { headers })).status).toBe(412);
  });

  it('stays what it is for integrators, who are refused as ever', async () => {
    for (const phone of ['x', '0151 23456789', null, 5]) {
      const { status, body } = await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, {
        phone,
        email: 'x',
      });
      expect([status, JSON.stringify(body.errors)]).toEqual([
        422,
        '{"email":["The email field must be an e-mail address."],"phone":["The phone field cannot be changed."]}',
      ]);
    }
    expect(await ownerOf('+493023125123')).toBe(id);
  });
});

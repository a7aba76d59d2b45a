import type { CrmWorld } from '../crm-world.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

describe('POST /internal/tenants/{tenant_id}/customers/by-phone', () => {
  const calls = { issuer: 'calls', role: 'service' } as const;
  const ask = (body: object, tenantId = tenant, caller: Parameters<CrmWorld['send']>[1] = calls) =>
    crm.send('internal', caller, {
      method: 'POST',
      url: `/internal/tenants/${tenantId}/customers/by-phone`,
      body,
    });
  const view = (id: number, tenantId = tenant) => crm.api(tenantId, 'GET', `/api/v1/customers/${id}`);
  const total = async () => (await crm.api(tenant, 'GET', '/api/v1/customers')).body.meta.total;

  it('201: makes a lead of an unknown number, from a call, named by the number or as given', async () => {
    const nameless = await ask({ phone: '+49 30 23125123', create: true });
    expect(nameless.status).toBe(201);
    expect(nameless.body).toEqual({ success: true, data: { customer_id: expect.any(Number) } });
    const lead = { segment: 'lead', source: 'call' };
    expect((await view(nameless.body.data.customer_id)).body.data).toMatchObject({
      ...lead,
      name: '+49 30 23125123',
      phone: '+49 30 23125123',
    });
    const named = await ask({ phone: '+493023125124', name: 'Zoë', create: true });
    expect((await view(named.body.data.customer_id)).body.data).toMatchObject({ ...lead, name: 'Zoë' });
    expect((await ask({ phone: '+493023125125', name: null, create: true })).status).toBe(201);
  });

  it('200: finds the customer however the number is written, changes nothing and emits nothing', async () => {
    const body = { name: 'Anna Weber', phone: '030 23125 123', segment: 'vip' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    for (const phone of ['+493023125123', '030/23125-123', '0049 30 23125123']) {
      for (const create of [true, false]) {
        const { status, body } = await ask({ phone, name: 'Other', create });
        expect([status, body.data]).toEqual([200, { customer_id: id }]);
      }
    }
    expect((await view(id)).body.data).toMatchObject(body);
    expect(await crm.events(tenant)).toHaveLength(1);
  });

  it('200 with null for an unknown number that shall not become a customer', async () => {
    const { status, body } = await ask({ phone: '+493023125123', create: false });
    expect([status, body]).toEqual([200, { success: true, data: { customer_id: null } }]);
    expect([await total(), await crm.events(tenant)]).toEqual([0, []]);
  });

  it('201 once: of 50 requests at once one creates, and all get the same customer', async () => {
    const forms = ['030 23125 127', '+49 30 23125127', '0049 30 23125127', '(030) 23125-127'];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask({ phone: forms[n % forms.length], create: true })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array(49).fill(200), 201]);
    const ids = new Set(answers.map(({ body }) => body.data.customer_id));
    expect([...ids]).toEqual([expect.any(Number)]);
    const events = await crm.events(tenant);
    expect(events).toMatchObject([{ type: 'customer.created', aggregate_id: [...ids][0] }]);
    expect(await total()).toBe(1);
  });

  it('emits customer.created with the record as the single view shows it', async () => {
    const { body } = await ask({ phone: '+493023125123', create: true });
    const [event] = await crm.events(tenant);
    expect(event?.data).toEqual((await view(body.data.customer_id)).body.data);
  });

  it('reads a national number by the country of the tenant', async () => {
    const american = crm.newTenant({ country: 'US', currency: 'USD', timezone: 'America/New_York' });
    const { body } = await ask({ phone: '(212) 555-0123', create: true }, american);
    expect((await ask({ phone: '+12125550123', create: false }, american)).body).toEqual(body);
    expect((await ask({ phone: '+12125550123', create: false })).body.data.customer_id).toBeNull();
  });

  it.each([
    [{ phone: 'anonymous', create: true }, { phone: ['The phone field must be a phone number.'] }],
    [
      { phone: 'sip:anna@example.com', create: false },
      { phone: ['The phone field must be a phone number.'] },
    ],
    [{ phone: '12345', create: true }, { phone: ['The phone field must be a phone number.'] }],
    [{ create: true }, { phone: ['The phone field is required.'] }],
    [{ phone: '+493023125123' }, { create: ['The create field is required.'] }],
    [{ phone: '+493023125123', create: 'yes' }, { create: ['The create field must be true or false.'] }],
    [{ phone: '+493023125123', name: ' ', create: true }, { name: ['The name field is required.'] }],
  ])('422: %j', async (body, errors) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(await crm.events(tenant)).toEqual([]);
  });

  it('403 for all but services, 404 for an unknown tenant', async () => {
    const body = { phone: '+493023125123', create: true };
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: tenant } as const;
    const integrator = { issuer: 'gateway', role: 'integrator', tenantId: tenant } as const;
    expect((await ask(body, tenant, admin)).status).toBe(403);
    expect((await ask(body, tenant, integrator)).status).toBe(403);
    expect((await ask(body, tenant, { issuer: 'operator', role: 'operator' })).status).toBe(403);
    expect((await ask(body, 999_999_999_999)).status).toBe(404);
  });
});

describe('POST /api/v1/customers?if_exists=return', () => {
  const PATH = '/api/v1/customers';
  const anna = { name: 'Anna Weber', phone: '030 23125 123' };
  const create = (body: object, headers?: Record<string, string>) =>
    crm.api(tenant, 'POST', PATH, body, headers);
  const findOrCreate = (body: object, headers?: Record<string, string>, of = tenant) =>
    crm.api(of, 'POST', `${PATH}?if_exists=return`, body, headers);

  const emitted = async () => (await crm.events(tenant)).map(({ type }) => type);

  it('201: adds a customer whose number nobody has', async () => {
    const { status, headers, body } = await findOrCreate(anna);
    expect({ status, etag: headers.etag }).toEqual({ status: 201, etag: expect.stringMatching(/^"1-/) });
    expect(body.data).toMatchObject(anna);
    expect(await emitted()).toEqual(['customer.created']);
  });

  it('200: returns the customer with the number, however it is written, unchanged and without an event', async () => {
    const made = await create(anna);
    const changed = await crm.api(tenant, 'PATCH', `${PATH}/${made.body.data.id}`, { segment: 'vip' });
    const found = await findOrCreate({ name: 'Another name', phone: '+49 (30) 23125-123', notes: 'x' });
    expect(found.status).toBe(200);
    expect(found.headers.etag).toMatch(/^"2-/);
    expect(found.body).toEqual(changed.body);
    expect(await emitted()).toEqual(['customer.created', 'customer.updated']);
  });

  it('201 once: of many at the same time one adds, the others get the same record', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => findOrCreate(anna)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(7).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await emitted()).toEqual(['customer.created']);
  });

  it('returns no customer of another tenant', async () => {
    const made = await create(anna);
    const found = await findOrCreate(anna, {}, crm.newTenant());
    expect(found.status).toBe(201);
    expect(found.body.data.id).not.toBe(made.body.data.id);
  });

  it('an Idempotency-Key repeats the first answer, and is another request’s without if_exists', async () => {
    await create(anna);
    const key = { 'idempotency-key': 'find-anna' };
    const first = await findOrCreate(anna, key);
    await crm.api(tenant, 'PATCH', `${PATH}/${first.body.data.id}`, { segment: 'vip' });
    const again = await findOrCreate(anna, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    const without = await create(anna, key);
    expect([without.status, without.body.code]).toEqual([422, 'validation_failed']);
    expect(Object.keys(without.body.errors)).toEqual(['Idempotency-Key']);
  });

  it('422: as before without it, and for any other value', async () => {
    await create(anna);
    expect((await create(anna)).body.errors).toEqual({ phone: ['The phone has already been taken.'] });
    const odd = await crm.api(tenant, 'POST', `${PATH}?if_exists=ignore`, anna);
    expect([odd.status, Object.keys(odd.body.errors)]).toEqual([422, ['if_exists']]);
  });
});

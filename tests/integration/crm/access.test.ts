import { IDENTITY_HEADER, type Scope } from '@frontdesk/contracts';
import { integratorOf } from '../../support/signed-requests.ts';
import { type CrmWorld, startCrm } from './crm-world.ts';

describe('who gets at customers', () => {
  let crm: CrmWorld;
  let tenant: number;
  let other: number;
  let id: number;
  beforeAll(async () => {
    crm = await startCrm();
    tenant = crm.newTenant();
    other = crm.newTenant();
    const body = { name: 'Anna Weber', phone: '030 23125 123' };
    id = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  });
  afterAll(() => crm.stop());

  const missing = (request_id: unknown) => ({
    success: false,
    code: 'not_found',
    message: 'Customer not found.',
    request_id,
  });

  it.each([
    ['GET', undefined],
    ['PATCH', { name: 'Stolen' }],
    ['PATCH', {}],
  ] as const)(
    '404: %s of another tenant’s id answers as for an id that does not exist',
    async (method, body) => {
      const foreign = await crm.api(other, method, `/api/v1/customers/${id}`, body);
      const unknown = await crm.api(other, method, '/api/v1/customers/999999999', body);
      for (const answer of [foreign, unknown]) {
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual(missing(answer.body.request_id));
        expect(answer.headers).not.toHaveProperty('etag');
      }
      expect((await crm.api(tenant, 'GET', `/api/v1/customers/${id}`)).body.data.name).toBe('Anna Weber');
      expect(await crm.events(tenant)).toHaveLength(1);
      expect(await crm.events(other)).toEqual([]);
    },
  );

  it('lists and finds only the tenant’s own customers, and its numbers are free elsewhere', async () => {
    for (const query of ['', '?search=anna', '?segment=lead', '?search=23125']) {
      const list = await crm.api(other, 'GET', `/api/v1/customers${query}`);
      expect(list.body).toMatchObject({ data: [], meta: { total: 0 } });
    }
    const third = crm.newTenant();
    const same = await crm.api(third, 'POST', '/api/v1/customers', { name: 'Anna', phone: '030 23125 123' });
    expect(same.status).toBe(201);
  });

  it('keeps Idempotency-Keys of two tenants apart', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const body = { name: 'Bernd', phone: '030 23125 124' };
    const answers = [
      await crm.api(tenant, 'POST', '/api/v1/customers', body, headers),
      await crm.api(other, 'POST', '/api/v1/customers', body, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.headers).not.toHaveProperty('idempotent-replayed');
  });

  it.each(['0', '-1', 'abc', '1.5', '01', '99999999999999999999', '%00', '1%27'])(
    '404: the path id %s names no customer',
    async (bad) => {
      const answer = await crm.api(tenant, 'GET', `/api/v1/customers/${bad}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(missing(answer.body.request_id));
    },
  );

  it('403: a key that may not read customers finds none by their number, nor by another key’s Idempotency-Key', async () => {
    const url = '/api/v1/customers?if_exists=return';
    const find = (scopes: readonly Scope[], phone: string) =>
      crm.send(
        'api',
        { ...integratorOf(tenant), scopes },
        {
          method: 'POST',
          url,
          body: { name: 'Berta', phone },
          headers: { 'idempotency-key': `find-${phone.slice(-3)}` },
        },
      );
    for (const [phone, status] of [
      ['030 23125 123', 200],
      ['030 23125 199', 201],
    ] as const) {
      const whole = await find(['customers:write', 'customers:read'], phone);
      expect(whole.status).toBe(status);
      const refused = await find(['customers:write'], phone);
      expect([refused.status, refused.body.code, refused.body.data]).toEqual([
        403,
        'insufficient_scope',
        { scope: 'customers:read' },
      ]);
    }
  });

  it('a key that may only change customers sees the one that it names', async () => {
    const caller = { ...integratorOf(tenant), scopes: ['customers:write'] } as const;
    const change = { method: 'PATCH', url: `/api/v1/customers/${id}`, body: {} } as const;
    expect((await crm.send('api', caller, change)).body.data).toMatchObject({ id, name: 'Anna Weber' });
    expect((await crm.send('api', caller, { ...change, method: 'GET', body: undefined })).status).toBe(403);
  });

  it('405 names the methods that are allowed', async () => {
    const answer = await crm.api(tenant, 'DELETE', `/api/v1/customers/${id}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('PATCH');
  });

  it('400 for malformed JSON, 422 for a body that is no object', async () => {
    const token = await crm.tokenOf({ issuer: 'gateway', role: 'integrator', tenantId: tenant });
    const post = (payload: string) =>
      crm.service.api.inject({
        method: 'POST',
        url: '/api/v1/customers',
        headers: { [IDENTITY_HEADER]: token, 'content-type': 'application/json' },
        payload,
      });
    expect((await post('{"name":')).json()).toMatchObject({ success: false, code: 'invalid_json' });
    expect((await post('[1]')).json()).toMatchObject({ success: false, code: 'validation_failed' });
  });

  it('401 without an identity; 403 for an identity that is no integrator’s', async () => {
    const bare = await crm.service.api.inject({ method: 'GET', url: '/api/v1/customers' });
    expect(bare.statusCode).toBe(401);
    const request = { method: 'GET', url: '/api/v1/customers' } as const;
    for (const identity of [
      { issuer: 'scheduling', role: 'service', tenantId: tenant },
      { issuer: 'settings-ui', role: 'admin', tenantId: tenant },
      { issuer: 'operator', role: 'operator', tenantId: tenant },
    ] as const) {
      expect((await crm.send('api', identity, request)).status).toBe(403);
    }
  });

  describe('GET /internal/tenants/{tenant_id}/customers/{id}', () => {
    const look = (identity: Parameters<CrmWorld['send']>[1], tenantId: number, customerId: number | string) =>
      crm.send('internal', identity, {
        method: 'GET',
        url: `/internal/tenants/${tenantId}/customers/${customerId}`,
      });
    const operator = { issuer: 'operator', role: 'operator' } as const;

    it('200: the record with totals, for operators and the tenant’s own admins', async () => {
      const admin = { issuer: 'settings-ui', role: 'admin', tenantId: tenant } as const;
      for (const identity of [operator, admin]) {
        const answer = await look(identity, tenant, id);
        expect(answer.status).toBe(200);
        expect(answer.body.data).toMatchObject({
          id,
          name: 'Anna Weber',
          total_spent: 0,
          last_visit_date: null,
        });
      }
    });

    it('404: another tenant’s customer, an unknown one, and another tenant for an admin', async () => {
      expect((await look(operator, other, id)).body.message).toBe('Customer not found.');
      expect((await look(operator, tenant, 999_999_999)).status).toBe(404);
      expect((await look(operator, tenant, 'x')).body.message).toBe('Customer not found.');
      const admin = { issuer: 'settings-ui', role: 'admin', tenantId: other } as const;
      expect((await look(admin, tenant, id)).status).toBe(404);
    });

    it('403: for an integrator, and for services, none of which asks this', async () => {
      for (const identity of [
        { issuer: 'gateway', role: 'integrator', tenantId: tenant },
        { issuer: 'gateway', role: 'service' },
        { issuer: 'scheduling', role: 'service' },
        { issuer: 'calls', role: 'service' },
        { issuer: 'crm', role: 'service' },
      ] as const)
        expect((await look(identity, tenant, id)).status).toBe(403);
    });
  });

  it('POST /internal/tenants/{tenant_id}/customers/by-ids names the tenant’s own to scheduling, operators and its admins', async () => {
    const adminOf = (tenantId: number) => ({ issuer: 'settings-ui', role: 'admin', tenantId }) as const;
    const ask = (identity: Parameters<CrmWorld['send']>[1], tenantId: number, ids: unknown) =>
      crm.send('internal', identity, {
        method: 'POST',
        url: `/internal/tenants/${tenantId}/customers/by-ids`,
        body: { ids },
      });
    const own = await ask(adminOf(tenant), tenant, [id, 999_999_999, id]);
    expect([own.status, own.body.data]).toEqual([200, [{ id, name: 'Anna Weber', phone: '030 23125 123' }]]);
    expect((await ask(adminOf(other), other, [id])).body.data).toEqual([]);
    expect((await ask(adminOf(other), tenant, [id])).status).toBe(404);
    expect(
      (await ask({ issuer: 'gateway', role: 'integrator', tenantId: tenant }, tenant, [id])).status,
    ).toBe(403);
    expect((await ask(adminOf(tenant), tenant, ['1'])).body.errors).toHaveProperty(['ids.0']);
  });
});

import { type CallsWorld, startCalls } from './calls-world.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

describe('who gets at calls', () => {
  let calls: CallsWorld;
  let tenant: number;
  let other: number;
  let ids: { call: number; source: number; message: number };
  beforeAll(async () => {
    calls = await startCalls();
    tenant = calls.newTenant();
    other = calls.newTenant();
    await calls.newSource(other);
    const source = await calls.newSource(tenant);
    const call = genericCall({
      sentiment: 'negative',
      outcome: 'booked',
      transcript: [{ role: 'agent', text: 'Hi' }],
    });
    const { data } = (await calls.ingest(source, genericMessage(call, source))).body;
    await calls.settled(tenant);
    const [listed] = (await calls.list(tenant)).data;
    ids = { call: listed.id, source: source.id, message: data.id };
  });
  afterAll(() => calls.stop());

  it('404: another tenant’s call answers as an id that does not exist', async () => {
    for (const id of [ids.call, 999_999_999, 'x', '0', '1.5']) {
      const answer = await calls.api(other, 'GET', `/api/v1/calls/${id}`);
      expect([answer.status, answer.body.message]).toEqual([404, 'Call not found.']);
      expect(answer.headers).not.toHaveProperty('etag');
    }
    expect((await calls.api(tenant, 'GET', `/api/v1/calls/${ids.call}`)).status).toBe(200);
  });

  it.each([
    '',
    '?sentiment=negative',
    '?outcome=booked',
    '?missed=false',
    '?from_date=2000-01-01',
    '?sort=updated_at',
  ])('lists only the tenant’s own: %s', async (query) => {
    expect((await calls.api(tenant, 'GET', `/api/v1/calls${query}`)).body.data).toHaveLength(1);
    const theirs = await calls.api(other, 'GET', `/api/v1/calls${query}`);
    expect(theirs.body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('403: the admin of a suspended tenant changes no source and no message, and sees them', async () => {
    const suspended = calls.newTenant({ status: 'suspended' });
    const source = await calls.newSource(suspended);
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: suspended } as const;
    const changes = [
      ['POST', 'call-sources', { provider: 'generic', name: 'Another' }],
      ['PATCH', `call-sources/${source.id}`, { name: 'Renamed' }],
      ['POST', `call-sources/${source.id}/rotate`, {}],
      ['POST', `call-sources/${source.id}/test-call`, {}],
      ['POST', 'call-messages/1/replay'],
      ['DELETE', 'call-messages/1'],
      ['DELETE', `call-sources/${source.id}`],
    ] as const;
    const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
      calls.send('internal', admin, { method, url: `/internal/tenants/${suspended}/${path}`, body });
    for (const [method, path, body] of changes) {
      const answer = await ask(method, path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'tenant_suspended']);
    }
    expect((await ask('GET', 'call-sources')).body.data).toMatchObject([{ id: source.id }]);
  });

  it('404 on every internal route for another tenant’s records; nothing is changed', async () => {
    const routes = [
      ['GET', `call-sources/${ids.source}`],
      ['PATCH', `call-sources/${ids.source}`, { name: 'Stolen' }],
      ['DELETE', `call-sources/${ids.source}`],
      ['POST', `call-sources/${ids.source}/rotate`, {}],
      ['POST', `call-sources/${ids.source}/test-call`, {}],
      ['GET', `call-messages/${ids.message}`],
      ['POST', `call-messages/${ids.message}/replay`],
      ['DELETE', `call-messages/${ids.message}`],
    ] as const;
    for (const [method, path, body] of routes) {
      const answer = await calls.admin(method, `/internal/tenants/${other}/${path}`, body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    const own = await calls.admin('GET', `/internal/tenants/${tenant}/call-sources/${ids.source}`);
    expect(own.body.data).toMatchObject({ name: 'Phone of generic', is_active: true });
    expect(await calls.messages(other)).toEqual([]);
    expect(await calls.messages(tenant)).toEqual([expect.objectContaining({ status: 'applied' })]);
  });

  it('401 without an identity; 403 for one that may not', async () => {
    const list = { method: 'GET', url: '/api/v1/calls' } as const;
    expect((await calls.service.api.inject(list)).statusCode).toBe(401);
    const internal = { method: 'GET', url: `/internal/tenants/${tenant}/call-sources` } as const;
    expect((await calls.service.internal.inject(internal)).statusCode).toBe(401);
    for (const caller of [
      { issuer: 'crm', role: 'service', tenantId: tenant },
      { issuer: 'settings-ui', role: 'admin', tenantId: tenant },
      { issuer: 'operator', role: 'operator', tenantId: tenant },
    ] as const) {
      expect((await calls.send('api', caller, list)).status).toBe(403);
    }
    for (const caller of [
      { issuer: 'gateway', role: 'integrator', tenantId: tenant },
      { issuer: 'crm', role: 'service', tenantId: tenant },
    ] as const) {
      expect((await calls.send('internal', caller, internal)).status).toBe(403);
    }
  });

  it('an admin gets at their own tenant alone', async () => {
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: tenant } as const;
    const url = (id: number) => `/internal/tenants/${id}/call-sources`;
    expect((await calls.send('internal', admin, { method: 'GET', url: url(tenant) })).body.data).toHaveLength(
      1,
    );
    expect((await calls.send('internal', admin, { method: 'GET', url: url(other) })).status).toBe(404);
  });

  it('405 names the methods that are allowed', async () => {
    const answer = await calls.api(tenant, 'DELETE', `/api/v1/calls/${ids.call}`);
    expect([answer.status, answer.headers.allow]).toEqual([405, expect.stringContaining('GET')]);
  });
});

import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('another tenant’s ids', () => {
  it('are unknown on every route', async () => {
    const mine = await openSalon(world);
    const theirs = await openSalon(world);
    const { id } = (await theirs.book({ staff_id: theirs.anna })).body.data;
    const call = async (method: 'GET' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const answer = await world.api(mine.tenantId, method, path, body);
      const unknown = await world.api(mine.tenantId, method, path.replace(/\d+/, '999999999'), body);
      expect(answer.status).toBe(404);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
      return answer.body.message;
    };
    expect(await call('GET', `/appointments/${id}`)).toBe('Appointment not found.');
    expect(await call('PATCH', `/appointments/${id}`, { notes: 'x' })).toBe('Appointment not found.');
    expect(await call('PATCH', `/appointments/${id}/status`, { status: 'completed' })).toBe(
      'Appointment not found.',
    );
    expect(await call('DELETE', `/appointments/${id}`)).toBe('Appointment not found.');
    expect(await call('GET', `/staff/${theirs.anna}`)).toBe('Staff member not found.');
    expect(await call('GET', `/services/${theirs.haircut}`)).toBe('Service not found.');
    expect((await world.api(theirs.tenantId, 'GET', `/appointments/${id}`)).body.data.status).toBe(
      'scheduled',
    );
  });

  it('are refused in every field, and appear in no list', async () => {
    const mine = await openSalon(world);
    const theirs = await openSalon(world);
    await theirs.book({ staff_id: theirs.anna });
    const body = { customer_id: theirs.customer, service_id: theirs.haircut, staff_id: theirs.anna };
    expect((await mine.book(body)).body.errors).toEqual({
      customer_id: ['The selected customer_id is invalid.'],
      service_id: ['The selected service_id is invalid.'],
      staff_id: ['The selected staff_id is invalid.'],
    });
    const own = (await mine.book()).body.data;
    expect((await mine.change(own.id, { service_id: theirs.haircut, staff_id: theirs.anna })).status).toBe(
      422,
    );
    expect((await mine.slots({ service_id: theirs.haircut })).status).toBe(422);
    expect((await mine.slots({ staff_id: theirs.anna })).status).toBe(422);
    const listed = await world.api(mine.tenantId, 'GET', '/appointments');
    expect(listed.body.data.map(({ id }: { id: number }) => id)).toEqual([own.id]);
    const byStaff = await world.api(mine.tenantId, 'GET', `/appointments?staff_id=${theirs.anna}`);
    expect(byStaff.body).toMatchObject({ data: [], meta: { total: 0 } });
    for (const list of ['/staff', '/services']) {
      const { body: own } = await world.api(mine.tenantId, 'GET', list);
      const { body: other } = await world.api(theirs.tenantId, 'GET', list);
      const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
      expect(ids(own.data).filter((id) => ids(other.data).includes(id))).toEqual([]);
    }
  });
});

describe('identities', () => {
  it('401 without one; 403 for an integrator on internal routes and for an operator on the public API', async () => {
    const tenantId = world.newTenant();
    const put = { method: 'PUT', url: `/internal/tenants/${tenantId}/business`, body: {} } as const;
    const integrator = { issuer: 'gateway', role: 'integrator', tenantId } as const;
    const operator = { issuer: 'operator', role: 'operator' } as const;
    expect((await world.send('internal', integrator, put)).status).toBe(403);
    expect((await world.send('api', operator, { method: 'GET', url: '/api/v1/staff' })).status).toBe(403);
    const unsigned = { method: 'GET', url: '/api/v1/staff', headers: { [IDENTITY_HEADER]: 'no' } } as const;
    expect((await world.send('api', integrator, unsigned)).status).toBe(401);
  });

  it('an admin imports only their own business', async () => {
    const [own, other] = [world.newTenant(), world.newTenant()];
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: own } as const;
    const put = (tenantId: number) =>
      world.send('internal', admin, {
        method: 'PUT',
        url: `/internal/tenants/${tenantId}/business`,
        body: {},
      });
    expect((await put(own)).status).toBe(200);
    expect((await put(other)).status).toBe(404);
  });
});

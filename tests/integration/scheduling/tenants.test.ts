import { IDENTITY_HEADER, PLAN_QUOTAS } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { type Caller, integratorOf } from '../../support/signed-requests.ts';
import { atOnce, statusCounts, withStatus } from './answers.ts';
import { asOperator } from './as-operator.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('the isolation of tenants', () => {
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

    it('are none that calls may name: only a service may ask, and hears of the tenant’s own, in any status', async () => {
      const mine = await openSalon(world);
      const theirs = await openSalon(world);
      const { id } = (await mine.book()).body.data;
      const cancelled = (await mine.book({ appointment_time: '15:00' })).body.data.id;
      await world.api(mine.tenantId, 'DELETE', `/appointments/${cancelled}`);
      const foreign = (await theirs.book()).body.data.id;
      const url = `/internal/tenants/${mine.tenantId}/appointments/by-ids`;
      const ask = (caller: Caller, body: object) =>
        world.send('internal', caller, { method: 'POST', url, body });
      const calls = { issuer: 'calls', role: 'service', tenantId: mine.tenantId } as const;
      const known = await ask(calls, { ids: [foreign, cancelled, id, 2 ** 53 - 1, id] });
      expect(known).toMatchObject({ status: 200, body: { data: [id, cancelled].toSorted((a, b) => a - b) } });
      for (const ids of [undefined, 'x', [0], [1.5], ['1'], [null], Array(1_001).fill(1)])
        expect((await ask(calls, { ids })).status).toBe(422);
      expect((await ask(integratorOf(mine.tenantId), { ids: [id] })).status).toBe(403);
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

    it('no admin imports a business: no page does', async () => {
      const [own, other] = [world.newTenant(), world.newTenant()];
      const admin = { issuer: 'settings-ui', role: 'admin', tenantId: own } as const;
      for (const tenantId of [own, other]) {
        const url = `/internal/tenants/${tenantId}/business`;
        expect((await world.send('internal', admin, { method: 'PUT', url, body: {} })).status).toBe(403);
      }
    });
  });
});

describe('the quotas of a tenant', () => {
  const bodyOf = {
    staff: (name: string) => ({ name }),
    services: (name: string) => ({ name, duration_minutes: 30, price: 10 }),
  };
  const NOUNS = { staff: 'active staff members', services: 'active services' };

  /** A business that may have three of each, with the requests that make them. */
  function startBusiness(kind: 'staff' | 'services', allowed = 3) {
    const quotas = { ...PLAN_QUOTAS.starter, [kind]: allowed };
    const tenantId = world.newTenant({ plan: 'starter', quotas });
    const send = asOperator(world, tenantId);
    const add = (name: string) => send('POST', `/${kind}`, bodyOf[kind](name));
    return { tenantId, send, add };
  }

  describe.each(['staff', 'services'] as const)('%s', (kind) => {
    it('422: of twenty made at once for the last free place one is made', async () => {
      const { send, add } = startBusiness(kind);
      await add('A');
      await add('B');
      const answers = await atOnce(20, (index) => add(`C ${index}`));
      expect(statusCounts(answers)).toEqual({ 201: 1, 422: 19 });
      for (const { body } of withStatus(answers, 422))
        expect([body.code, body.message]).toEqual([
          'quota_exceeded',
          `Your plan allows 3 ${NOUNS[kind]}, and there are 3.`,
        ]);
      expect((await send('GET', '/quota-usage')).body.data).toMatchObject({ [kind]: 3 });
    });

    it('422: of many activated at once for the last free place one is; inactive ones take none', async () => {
      const { send, add } = startBusiness(kind);
      const ids: number[] = [];
      for (let index = 0; index < 10; index += 1) {
        const { body } = await add(`Old ${index}`);
        ids.push(body.data.id);
        await send('PATCH', `/${kind}/${body.data.id}`, { is_active: false });
      }
      await add('A');
      await add('B');
      const answers = await atOnce(10, (index) =>
        send('PATCH', `/${kind}/${ids[index]}`, { is_active: true }),
      );
      expect(statusCounts(answers)).toEqual({ 200: 1, 422: 9 });
      expect(new Set(withStatus(answers, 422).map(({ body }) => body.code))).toEqual(
        new Set(['quota_exceeded']),
      );
    });

    it('beyond a smaller plan stay as they are, and can be changed, deactivated and deleted', async () => {
      const { send, add, tenantId } = startBusiness(kind, 5);
      const ids: number[] = [];
      for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push((await add(name)).body.data.id);
      // What an event that tells of a smaller plan leaves in the projection.
      await world.sql(
        tenantId,
        `update tenants set quotas = '{"staff": 3, "services": 3}' where tenant_id = $tenantId`,
      );
      const message = `Your plan allows 3 ${NOUNS[kind]}, and there are 5.`;
      await eventually(async () => expect((await add('F')).body.message).toBe(message));
      expect((await send('PATCH', `/${kind}/${ids[0]}`, { name: 'New' })).status).toBe(200);
      expect((await send('PATCH', `/${kind}/${ids[0]}`, { is_active: false })).status).toBe(200);
      expect((await send('DELETE', `/${kind}/${ids[1]}`)).status).toBe(200);
      expect((await send('PATCH', `/${kind}/${ids[0]}`, { is_active: true })).status).toBe(422);
      expect((await send('GET', `/${kind}`)).body.data).toHaveLength(4);
    });

    it('of an import count as a whole: what it deactivates no longer counts', async () => {
      const { send, add, tenantId } = startBusiness(kind);
      for (const name of ['A', 'B', 'C']) await add(name);
      const entry = (name: string, is_active = true) =>
        kind === 'staff' ? { name, services: [], is_active } : { ...bodyOf.services(name), is_active };
      const swapped = await world.importBusiness(tenantId, { [kind]: [entry('A', false), entry('D')] });
      expect(swapped.status).toBe(200);
      const refused = await world.importBusiness(tenantId, {
        [kind]: [entry('B', false), entry('E'), entry('F')],
      });
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        422,
        'quota_exceeded',
        `Your plan allows 3 ${NOUNS[kind]}, and there are 2: 2 more are too many.`,
      ]);
      const names = (await send('GET', `/${kind}`)).body.data
        .filter(({ is_active }: { is_active: boolean }) => is_active)
        .map(({ name }: { name: string }) => name);
      expect(names).toEqual(['B', 'C', 'D']);
      // What is there already is no addition.
      const same = await world.importBusiness(tenantId, { [kind]: [entry('B'), entry('C'), entry('D')] });
      expect(same.status).toBe(200);
    });
  });
});

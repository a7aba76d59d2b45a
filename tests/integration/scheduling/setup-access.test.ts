import { asOperator } from './as-operator.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const HOLIDAY = { start: '2031-06-02T00:00', end: '2031-06-09T00:00' };
const CUT = { name: 'Cut', duration_minutes: 30, price: 10 };

/** Every route by which a business is set up, the destructive ones last; `:staff` and `:service` are ids. */
const ROUTES = [
  ['GET', '/business'],
  ['PUT', '/business', {}],
  ['GET', '/days/2031-06-02'],
  ['GET', '/bookability'],
  ['GET', '/booking-settings'],
  ['PATCH', '/booking-settings', {}],
  ['GET', '/services'],
  ['POST', '/services', CUT],
  ['GET', '/services/:service'],
  ['PATCH', '/services/:service', {}],
  ['GET', '/staff'],
  ['GET', '/staff-hours'],
  ['POST', '/staff', { name: 'Cem' }],
  ['GET', '/staff/:staff'],
  ['PATCH', '/staff/:staff', {}],
  ...['/calendar', '/staff/:staff/calendar'].flatMap((calendar) => [
    ['GET', calendar] as const,
    ['GET', `${calendar}/conflicts`] as const,
    ['PUT', `${calendar}/hours`, { hours: {} }] as const,
    ['PUT', `${calendar}/exceptions/2031-12-24`, { hours: [] }] as const,
    ['DELETE', `${calendar}/exceptions/2031-12-24`] as const,
    ['POST', `${calendar}/time-off`, HOLIDAY] as const,
    ['DELETE', `${calendar}/time-off/999`] as const,
  ]),
  ['DELETE', '/services/:service'],
  ['DELETE', '/staff/:staff'],
] as const;

const pathFor = (path: string, { haircut, anna }: { haircut: number; anna: number }) =>
  path.replace(':service', String(haircut)).replace(':staff', String(anna));

describe('the routes by which a business is set up', () => {
  it('404 for another tenant’s admin, whatever is asked for, and nothing changes', async () => {
    const salon = await openSalon(world);
    const before = (await asOperator(world, salon.tenantId)('GET', '/business')).body;
    const admin = (tenantId: number) => ({ issuer: 'settings-ui', role: 'admin', tenantId }) as const;
    const other = admin((await openSalon(world)).tenantId);
    const requests = ROUTES.map(([method, path, body]) => ({
      ...{ method, url: `/internal/tenants/${salon.tenantId}${pathFor(path, salon)}`, body },
    }));
    for (const request of requests) {
      const { status, body } = await world.send('internal', other, request);
      expect([request.url, status, body.message]).toEqual([request.url, 404, 'Tenant not found.']);
    }
    expect((await asOperator(world, salon.tenantId)('GET', '/business')).body).toEqual(before);
    for (const request of requests) {
      const { status } = await world.send('internal', admin(salon.tenantId), request);
      const isThere = !request.url.endsWith('/time-off/999');
      expect([request.method, request.url, status < 300]).toEqual([request.method, request.url, isThere]);
    }
  });

  it('403 for the admin of a suspended tenant where they change something; the operator still may', async () => {
    const salon = await openSalon(world);
    await world.sql(salon.tenantId, `update tenants set status = 'suspended' where tenant_id = $1`);
    const before = (await asOperator(world, salon.tenantId)('GET', '/business')).body;
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: salon.tenantId } as const;
    for (const [method, path, body] of ROUTES) {
      const url = `/internal/tenants/${salon.tenantId}${pathFor(path, salon)}`;
      const answer = await world.send('internal', admin, { method, url, body });
      const expected = method === 'GET' ? [200, undefined] : [403, 'tenant_suspended'];
      expect([method, url, answer.status, answer.body.code]).toEqual([method, url, ...expected]);
    }
    expect((await asOperator(world, salon.tenantId)('GET', '/business')).body).toEqual(before);
    expect((await asOperator(world, salon.tenantId)('POST', '/services', CUT)).status).toBe(201);
  });

  it('403 for an integrator, even of the tenant', async () => {
    const salon = await openSalon(world);
    const integrator = { issuer: 'gateway', role: 'integrator', tenantId: salon.tenantId } as const;
    for (const [method, path, body] of ROUTES) {
      const url = `/internal/tenants/${salon.tenantId}${pathFor(path, salon)}`;
      expect((await world.send('internal', integrator, { method, url, body })).status).toBe(403);
    }
  });

  it('know no records of another tenant', async () => {
    const mine = asOperator(world, (await openSalon(world)).tenantId);
    const theirs = await openSalon(world);
    for (const [method, path, body] of ROUTES.filter(([, path]) => path.includes('/:'))) {
      const { status, body: answer } = await mine(method, pathFor(path, theirs), body);
      expect([method, path, status, answer.code]).toEqual([method, path, 404, 'not_found']);
    }
  });

  it('404 where the gateway knows no such tenant, and nothing is begun', async () => {
    const send = asOperator(world, 999_999_999_999);
    for (const [method, path, body] of ROUTES) {
      const { status, body: answer } = await send(method, pathFor(path, { haircut: 1, anna: 1 }), body);
      expect([path, status, answer.message]).toEqual([path, 404, 'Tenant not found.']);
    }
  });
});

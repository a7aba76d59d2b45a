import { atOnce, statusCounts } from '../answers.ts';
import { asOperator } from '../as-operator.ts';
import { imported } from '../business-documents.ts';
import { openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { HOLIDAY, MORNING, OWNERS, openCalendar } from './calendar-owners.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('calendars that are refused', () => {
  describe.each(OWNERS)('a change of the calendar of %s', (owner) => {
    it('412: another version than the one in If-Match, and nothing happens', async () => {
      const { send, path } = await openCalendar(world, owner);
      const { id } = (await send('POST', `${path}/time-off`, HOLIDAY)).body.data;
      await send('PUT', `${path}/exceptions/2031-12-24`, { hours: [] });
      const before = await send('GET', path);
      const stale = { 'if-match': '"1"' };
      const answers = [
        await send('PUT', `${path}/hours`, { hours: {} }, stale),
        await send('PUT', `${path}/exceptions/2031-12-25`, { hours: [] }, stale),
        await send('DELETE', `${path}/exceptions/2031-12-24`, undefined, stale),
        await send('POST', `${path}/time-off`, HOLIDAY, stale),
        await send('DELETE', `${path}/time-off/${id}`, undefined, stale),
      ];
      expect(statusCounts(answers)).toEqual({ 412: 5 });
      const after = await send('GET', path);
      expect([after.headers.etag, after.body]).toEqual([before.headers.etag, before.body]);
      const fresh = { 'if-match': before.headers.etag as string };
      expect((await send('PUT', `${path}/hours`, { hours: {} }, fresh)).status).toBe(200);
    });

    it('of ten who have seen one version and change it at once, one does', async () => {
      const { send, path } = await openCalendar(world, owner);
      const seen = { 'if-match': (await send('GET', path)).headers.etag as string };
      const answers = await atOnce(10, (index) =>
        send('PUT', `${path}/exceptions/2031-12-${index + 10}`, { hours: [] }, seen),
      );
      expect(statusCounts(answers)).toEqual({ 200: 1, 412: 9 });
      expect((await send('GET', path)).body.data.exceptions).toHaveLength(1);
    });

    it('422 naming the field, and nothing is stored', async () => {
      const { send, path } = await openCalendar(world, owner);
      const before = (await send('GET', path)).body;
      const noon = [{ start: '12:00', end: '13:00' }];
      const cases = [
        [send('PUT', `${path}/hours`, {}), 'hours'],
        [send('PUT', `${path}/hours`, { hours: { someday: [] } }), 'hours'],
        [
          send('PUT', `${path}/hours`, { hours: { monday: MORNING }, breaks: { monday: noon } }),
          'breaks.monday',
        ],
        [send('PUT', `${path}/hours`, { hours: {}, breaks: { monday: noon } }), 'breaks.monday'],
        [send('PUT', `${path}/exceptions/2031-12-24`, {}), 'hours'],
        [
          send('PUT', `${path}/exceptions/2031-12-24`, { hours: [{ start: '9', end: '10:00' }] }),
          'hours.0.start',
        ],
        [send('POST', `${path}/time-off`, { ...HOLIDAY, end: HOLIDAY.start }), 'end'],
        [send('POST', `${path}/time-off`, { ...HOLIDAY, start: '2031-02-30T00:00' }), 'start'],
        [send('POST', `${path}/time-off`, { ...HOLIDAY, start: '2031-06-02T00:00:00Z' }), 'start'],
        [send('POST', `${path}/time-off`, { ...HOLIDAY, note: 'a\0' }), 'note'],
      ] as const;
      for (const [answer, field] of cases) {
        const { status, body } = await answer;
        expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
      }
      expect((await send('GET', path)).body).toEqual(before);
    });

    it('422: new entries that are over; an import brings history, which can still be changed', async () => {
      const { send, path, tenantId, staffIds } = await openCalendar(world, owner);
      const past = { start: '2020-01-01T00:00', end: '2020-01-08T00:00' };
      const closed = await send('PUT', `${path}/exceptions/2020-12-24`, { hours: [] });
      const away = await send('POST', `${path}/time-off`, past);
      expect([closed.status, closed.body.errors]).toEqual([
        422,
        { date: ['This date is in the past. Choose today or a later date.'] },
      ]);
      expect([away.status, Object.keys(away.body.errors)]).toEqual([422, ['end']]);
      expect((await send('POST', `${path}/time-off`, { ...past, end: HOLIDAY.end })).status).toBe(201);

      const history = { exceptions: [{ date: '2020-12-24', hours: [], note: null }], time_off: [past] };
      const own = { name: 'Anna', services: [], ...history };
      await imported(world, tenantId, staffIds.length > 0 ? { staff: [own] } : history);
      expect((await send('GET', path)).body.data).toMatchObject(history);
      expect((await send('PUT', `${path}/exceptions/2020-12-24`, { hours: MORNING })).status).toBe(200);
    });

    it('hours across midnight are refused with the way to enter them', async () => {
      const { send, path } = await openCalendar(world, owner);
      const { body } = await send('PUT', `${path}/hours`, {
        hours: { saturday: [{ start: '20:00', end: '02:00' }] },
      });
      expect(body.errors['hours.saturday.0'][0]).toContain('until 24:00, and from 00:00 on the next day');
    });

    it('404 for what is not in it', async () => {
      const { send, path } = await openCalendar(world, owner);
      for (const [what, message] of [
        ['/exceptions/2031-12-24', 'Exception not found.'],
        ['/exceptions/2031-02-30', 'Exception not found.'],
        ['/exceptions/tomorrow', 'Exception not found.'],
        ['/time-off/999999999', 'Time off not found.'],
        ['/time-off/0', 'Time off not found.'],
      ]) {
        const { status, body } = await send('DELETE', `${path}${what}`);
        expect([status, body.message]).toEqual([404, message]);
      }
    });

    it('holds four hundred entries of a kind', async () => {
      const { send, path, tenantId, staffIds } = await openCalendar(world, owner);
      const time_off = Array.from({ length: 400 }, () => HOLIDAY);
      await world.importBusiness(
        tenantId,
        staffIds.length > 0 ? { staff: [{ name: 'Anna', services: [], time_off }] } : { time_off },
      );
      const { status, body } = await send('POST', `${path}/time-off`, HOLIDAY);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['time_off']]);
      expect((await send('GET', path)).body.data.time_off).toHaveLength(400);
    });
  });
});

describe('the routes by which a business is set up', () => {
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

  /** A whole business is read and written by operators alone. */
  const OF_ADMINS = ROUTES.filter(([, path]) => path !== '/business');

  const pathFor = (path: string, { haircut, anna }: { haircut: number; anna: number }) =>
    path.replace(':service', String(haircut)).replace(':staff', String(anna));

  it('404 for another tenant’s admin, whatever is asked for, and nothing changes', async () => {
    const salon = await openSalon(world);
    const before = (await asOperator(world, salon.tenantId)('GET', '/business')).body;
    const admin = (tenantId: number) => ({ issuer: 'settings-ui', role: 'admin', tenantId }) as const;
    const other = admin((await openSalon(world)).tenantId);
    const requests = OF_ADMINS.map(([method, path, body]) => ({
      method,
      url: `/internal/tenants/${salon.tenantId}${pathFor(path, salon)}`,
      body,
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
    await world.sql(salon.tenantId, `update tenants set status = 'suspended' where tenant_id = $tenantId`);
    const before = (await asOperator(world, salon.tenantId)('GET', '/business')).body;
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: salon.tenantId } as const;
    for (const [method, path, body] of OF_ADMINS) {
      const url = `/internal/tenants/${salon.tenantId}${pathFor(path, salon)}`;
      const answer = await world.send('internal', admin, { method, url, body });
      const expected = method === 'GET' ? [200, undefined] : [403, 'tenant_suspended'];
      expect([method, url, answer.status, answer.body.code]).toEqual([method, url, ...expected]);
    }
    expect((await asOperator(world, salon.tenantId)('GET', '/business')).body).toEqual(before);
    expect((await world.importBusiness(salon.tenantId, { services: [CUT] })).status).toBe(200);
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

import { eventually, operator } from '../../../support/index.ts';
import { MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('the list of appointments', () => {
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

  describe('GET /appointments', () => {
    it('by start descending, then id, page by page, with the total of all', async () => {
      const salon = await openSalon(world);
      const book = async (staff_id: number, appointment_time: string) =>
        (await salon.book({ staff_id, appointment_time })).body.data.id as number;
      const nine = await book(salon.anna, '09:00');
      const eleven = [await book(salon.ben, '11:00'), await book(salon.anna, '11:00')];
      const ten = await book(salon.anna, '10:00');
      const list = async (query: string) =>
        (await world.api(salon.tenantId, 'GET', `/appointments?${query}`)).body;

      expect(idsOf((await list('')).data)).toEqual([...eleven, ten, nine]);
      expect((await list('')).meta).toEqual({ page: 1, per_page: 20, total: 4 });
      const second = await list('page=2&per_page=3');
      expect([idsOf(second.data), second.meta]).toEqual([[nine], { page: 2, per_page: 3, total: 4 }]);
      expect(await list('page=3&per_page=3')).toEqual({
        success: true,
        data: [],
        meta: { page: 3, per_page: 3, total: 4 },
      });
      expect((await list('per_page=1000')).meta.per_page).toBe(100);
    });

    it('to those who run the business, what is scheduled from now on, and all else: also what is coming no more', async () => {
      const salon = await openSalon(world);
      const book = async (fields: object) => (await salon.book(fields)).body.data.id as number;
      const coming = await book({});
      const [cancelled, missed] = [
        await book({ appointment_time: '12:00' }),
        await book({ appointment_time: '13:00' }),
      ];
      const past = await book({ appointment_date: '2021-06-07' });
      await salon.cancel(cancelled);
      await world.api(salon.tenantId, 'PATCH', `/appointments/${missed}`, { status: 'no_show' });
      const list = async (isComing: boolean) => {
        const url = `/internal/tenants/${salon.tenantId}/appointments?is_coming=${isComing}`;
        const { body } = await world.send('internal', operator, { method: 'GET', url });
        expect(body.meta.total).toBe(body.data.length);
        return idsOf(body.data);
      };
      expect(await list(true)).toEqual([coming]);
      expect(await list(false)).toEqual([missed, cancelled, past]);
    });

    it('filters by status, date, staff and customer, alone and together, each with its total', async () => {
      const salon = await openSalon(world);
      const book = async (fields: object) => (await salon.book(fields)).body.data.id as number;
      const anna = await book({ staff_id: salon.anna });
      const ben = await book({ staff_id: salon.ben });
      const later = await book({ staff_id: salon.anna, appointment_date: '2031-06-03' });
      await salon.cancel(ben);
      const list = async (query: object) => {
        const search = new URLSearchParams(query as Record<string, string>);
        const { body } = await world.api(salon.tenantId, 'GET', `/appointments?${search}`);
        expect(body.meta.total).toBe(body.data.length);
        return idsOf(body.data);
      };
      const other = world.newCustomer(salon.tenantId);
      const ofOther = await book({ staff_id: salon.ben, customer_id: other, appointment_date: '2031-06-04' });
      const staff_id = String(salon.anna);
      expect(await list({ status: 'cancelled' })).toEqual([ben]);
      expect(await list({ customer_id: String(other) })).toEqual([ofOther]);
      expect(await list({ customer_id: String(salon.customer), date: MONDAY })).toEqual([anna, ben]);
      expect(await list({ customer_id: String(other), staff_id })).toEqual([]);
      expect(await list({ date: MONDAY })).toEqual([anna, ben]);
      expect(await list({ staff_id })).toEqual([later, anna]);
      expect(await list({ status: 'scheduled', date: MONDAY })).toEqual([anna]);
      expect(await list({ status: 'scheduled', staff_id })).toEqual([later, anna]);
      expect(await list({ date: '2031-06-03', staff_id })).toEqual([later]);
      expect(await list({ status: 'scheduled', date: MONDAY, staff_id })).toEqual([anna]);
      expect(await list({ status: 'no_show', date: MONDAY, staff_id })).toEqual([]);
    });

    it('files an appointment under its local date, whatever the date in UTC', async () => {
      const practice = await openPractice(world, world.newTenant({ timezone: 'Pacific/Auckland' }));
      const { id } = (await practice.book({ appointment_time: '08:00' })).body.data;
      const on = async (date: string) =>
        idsOf((await world.api(practice.tenantId, 'GET', `/appointments?date=${date}`)).body.data);
      expect(await on(MONDAY)).toEqual([id]);
      expect(await on('2031-06-01')).toEqual([]);
    });

    it.each([
      ['status=done', 'status', 'The status field must be one of scheduled, completed, cancelled, no_show.'],
      ['date=2031-6-2', 'date', 'The date field must be a date in the format Y-m-d.'],
      ['date=2031-02-29', 'date', 'The date field must be a date that exists.'],
      ['staff_id=x', 'staff_id', 'The staff_id field must be an integer.'],
      ['staff_id=-1', 'staff_id', 'The staff_id field must be a positive integer.'],
      ['customer_id=0', 'customer_id', 'The customer_id field must be a positive integer.'],
      ['page=0', 'page', 'The page field must be at least 1.'],
      ['per_page=0', 'per_page', 'The per_page field must be at least 1.'],
    ])('422: %s', async (query, field, message) => {
      const { status, body } = await world.api(world.newTenant(), 'GET', `/appointments?${query}`);
      expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
    });
  });

  describe('GET /appointments/{id}', () => {
    it('200 with the record and its ETag', async () => {
      const salon = await openSalon(world);
      const { body } = await salon.book();
      const {
        status,
        headers,
        body: shown,
      } = await world.api(salon.tenantId, 'GET', `/appointments/${body.data.id}`);
      expect([status, headers.etag, shown]).toEqual([200, '"1"', body]);
    });

    it.each(['0', '-1', 'abc', '1.5', '99999999999999999999'])('404: %s', async (id) => {
      const { status, body } = await world.api(world.newTenant(), 'GET', `/appointments/${id}`);
      expect([status, body.message]).toEqual([404, 'Appointment not found.']);
    });
  });

  describe('GET /internal/snapshots/appointments', () => {
    it('walks through the appointments of all tenants, each with its version', async () => {
      const salon = await openSalon(world);
      const booked = [(await salon.book()).body.data, (await salon.book()).body.data];
      const cancelled = (await salon.cancel(booked[0].id)).body.data;
      const service = { issuer: 'crm', role: 'service' } as const;
      const pageAfter = async (tenantId: number, id: number) => {
        const url = `/internal/snapshots/appointments?after_tenant=${tenantId}&after_id=${id}`;
        return (await world.send('internal', service, { method: 'GET', url })).body.data;
      };
      const [first] = await pageAfter(salon.tenantId, 0);
      expect(first).toEqual({
        tenant_id: salon.tenantId,
        aggregate_id: cancelled.id,
        aggregate_version: 2,
        data: cancelled,
      });
      const [second] = await pageAfter(salon.tenantId, first.aggregate_id);
      expect(second).toMatchObject({ aggregate_version: 1, data: booked[1] });
      const integrator = { issuer: 'gateway', role: 'integrator', tenantId: salon.tenantId } as const;
      const url = '/internal/snapshots/appointments';
      expect((await world.send('internal', integrator, { method: 'GET', url })).status).toBe(403);
    });
  });
});

describe('GET /appointments?updated_since', () => {
  const EVER = '1970-01-01T00:00:00Z';

  it('serves every kind of change once more, in the order of the changes', async () => {
    const salon = await openSalon(world);
    const list = async (query: Record<string, string>) =>
      (await world.api(salon.tenantId, 'GET', `/appointments?${new URLSearchParams(query)}`)).body;
    const idsSince = async (updated_since: string, query = {}) => {
      const { data, meta } = await list({ updated_since, ...query });
      expect(meta.total).toBe(data.length);
      return data.map(({ id }: { id: number }) => id);
    };
    const ids: number[] = [];
    for (const appointment_time of ['09:00', '10:00', '11:00', '12:00']) {
      ids.push((await salon.book({ staff_id: salon.anna, appointment_time })).body.data.id);
    }
    await eventually(async () => expect(await idsSince(EVER)).toEqual(ids));

    const [moved, done, cancelled, untouched] = ids as [number, number, number, number];
    const since = (await salon.change(moved, { appointment_time: '15:00' })).body.data.updated_at;
    await salon.setStatus(done, 'completed');
    await salon.cancel(cancelled);
    await eventually(async () => expect(await idsSince(since)).toEqual([moved, done, cancelled]));
    expect(await idsSince(EVER)).toEqual([untouched, moved, done, cancelled]);
    expect(await idsSince(since, { sort: '-updated_at' })).toEqual([cancelled, done, moved]);
    expect(await idsSince(since, { sort: 'starts_at' })).toEqual([done, cancelled, moved]);
    expect(await idsSince(since, { status: 'cancelled' })).toEqual([cancelled]);

    const first = await list({ updated_since: since, per_page: '2' });
    expect(first.meta).toEqual({ page: 1, per_page: 2, total: 3, next_cursor: expect.any(String) });
    const rest = await list({ updated_since: since, cursor: first.meta.next_cursor });
    expect(rest.data).toMatchObject([{ id: cancelled, status: 'cancelled' }]);
    expect(rest.meta).toEqual({ page: 1, per_page: 20, total: 3 });
  });

  it.each([
    '1970-01-01T00:00:00Z',
    '2026-01-31T09:00:00.123456789+05:30',
    '2026-01-31t09:00:00z',
    '2016-12-31T23:59:60Z',
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59.999999-12:00',
  ])('200: %s', async (updated_since) => {
    const query = new URLSearchParams({ updated_since });
    const { status, body } = await world.api(world.newTenant(), 'GET', `/appointments?${query}`);
    expect([status, body.meta]).toEqual([200, { page: 1, per_page: 20, total: 0 }]);
  });

  it.each([
    '',
    'yesterday',
    '1767225600',
    '2026-01-31',
    '2026-01-31T09:00:00',
    '2026-01-31T09:00Z',
    '2026-01-31 09:00:00Z',
    '2026-02-30T09:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:00:00+25:00',
    '2026-01-31T09:00:00Z[Europe/Berlin]',
    '+012026-01-31T09:00:00Z',
    '2026-01-31T09:00:00Z\0',
  ])('422: %j', async (updated_since) => {
    const query = new URLSearchParams({ updated_since });
    const { status, body } = await world.api(world.newTenant(), 'GET', `/appointments?${query}`);
    expect([status, body.errors]).toEqual([
      422,
      {
        updated_since: [
          'The updated_since field must be an RFC 3339 instant, for example 2026-01-31T09:00:00Z.',
        ],
      },
    ]);
  });
});

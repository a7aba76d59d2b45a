import { eventually } from '../../support/index.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const EVER = '1970-01-01T00:00:00Z';

describe('GET /appointments?updated_since', () => {
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

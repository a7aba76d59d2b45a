import { eventually, operator } from '../../../support/index.ts';
import { openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
const cursorOf = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

/** A salon with appointments at ten (Anna's and Ben's), nine and eleven, booked in that order. */
async function openBusySalon() {
  const salon = await openSalon(world);
  const book = async (staff_id: number, appointment_time: string) =>
    (await salon.book({ staff_id, appointment_time })).body.data.id as number;
  const ten = [await book(salon.anna, '10:00'), await book(salon.ben, '10:00')] as const;
  const nine = await book(salon.anna, '09:00');
  const eleven = await book(salon.anna, '11:00');
  const list = async (query: Record<string, string>) =>
    (await world.api(salon.tenantId, 'GET', `/appointments?${new URLSearchParams(query)}`)).body;
  return { ...salon, ten, nine, eleven, list };
}

describe('GET /appointments?sort', () => {
  it('by start, the default’s exact mirror, or by the latest change, in either direction', async () => {
    const { list, ten, nine, eleven, ...salon } = await openBusySalon();
    const byStart = [eleven, ...ten, nine];
    expect(idsOf((await list({})).data)).toEqual(byStart);
    expect(idsOf((await list({ sort: '-starts_at' })).data)).toEqual(byStart);
    expect(idsOf((await list({ sort: 'starts_at' })).data)).toEqual(byStart.toReversed());

    await salon.cancel(ten[1]);
    await salon.change(nine, { notes: 'late' });
    await salon.change(ten[0], { appointment_time: '15:00' });
    const byUpdate = [eleven, ten[1], nine, ten[0]];
    expect(idsOf((await list({ sort: 'updated_at' })).data)).toEqual(byUpdate);
    expect(idsOf((await list({ sort: '-updated_at' })).data)).toEqual(byUpdate.toReversed());
    expect(idsOf((await list({ sort: 'updated_at', status: 'scheduled' })).data)).toEqual(
      byUpdate.filter((id) => id !== ten[1]),
    );
  });
});

describe('GET /appointments?cursor', () => {
  it('goes on after the page that gave it, however that was reached; the last page gives none', async () => {
    const { list, ten, nine, eleven } = await openBusySalon();
    const first = await list({ per_page: '1' });
    expect([idsOf(first.data), first.meta]).toEqual([
      [eleven],
      { page: 1, per_page: 1, total: 4, next_cursor: expect.stringMatching(/^[\w-]+$/) },
    ]);
    const second = await list({ per_page: '2', cursor: first.meta.next_cursor });
    expect(idsOf(second.data)).toEqual(ten);
    const last = await list({ per_page: '2', cursor: second.meta.next_cursor });
    expect([idsOf(last.data), last.meta]).toEqual([[nine], { page: 1, per_page: 2, total: 4 }]);

    const byPage = await list({ per_page: '1', page: '2' });
    expect(idsOf((await list({ cursor: byPage.meta.next_cursor })).data)).toEqual([ten[1], nine]);
    expect((await list({ per_page: '2', page: '2' })).meta).toEqual({ page: 2, per_page: 2, total: 4 });
  });

  it('goes before page, and holds with the filters', async () => {
    const { list, ten, nine, eleven, anna } = await openBusySalon();
    const staff_id = String(anna);
    const { meta } = await list({ staff_id, per_page: '1' });
    const rest = await list({ staff_id, cursor: meta.next_cursor, page: '7' });
    expect([idsOf(rest.data), rest.meta]).toEqual([[ten[0], nine], { page: 7, per_page: 20, total: 3 }]);
    expect(idsOf((await list({ staff_id })).data)).toEqual([eleven, ten[0], nine]);
  });

  it('holds for any per_page, and for the same sort and filters however they are written', async () => {
    const { list, ten, nine, anna } = await openBusySalon();
    const staff_id = String(anna);
    const { next_cursor: cursor } = (await list({ per_page: '1', staff_id, status: 'scheduled' })).meta;
    for (const query of [
      { staff_id, status: 'scheduled', cursor },
      {
        cursor,
        status: 'scheduled',
        staff_id: `0${staff_id}`,
        sort: '-starts_at',
        per_page: '100',
        page: '3',
      },
    ])
      expect(idsOf((await list(query)).data)).toEqual([ten[0], nine]);
    expect((await list({ per_page: '1', staff_id, status: 'scheduled' })).meta.next_cursor).toBe(cursor);
  });

  it('422: made for another sort, filter or updated_since, or for none', async () => {
    const { list, anna, ben } = await openBusySalon();
    const since = '2020-01-01T00:00:00Z';
    const queries = [
      {},
      { sort: 'starts_at' },
      { sort: 'updated_at' },
      { sort: '-updated_at' },
      { staff_id: String(anna) },
      { staff_id: String(ben) },
      { status: 'scheduled' },
      { status: 'scheduled', staff_id: String(anna) },
      { date: '2031-06-02' },
      { updated_since: since },
      { updated_since: '2020-01-01T00:00:01Z' },
      { updated_since: since, sort: '-updated_at' },
    ];
    await eventually(async () => expect((await list({ updated_since: since })).meta.total).toBe(4));
    const cursors = new Map<string, object>();
    for (const query of queries) {
      const { next_cursor } = (await list({ ...query, per_page: '1' } as Record<string, string>)).meta;
      if (next_cursor) cursors.set(next_cursor, query);
    }
    expect(cursors.size).toBeGreaterThan(9);
    for (const [cursor, own] of cursors)
      for (const query of queries) {
        const { code, errors } = await list({ ...query, cursor } as Record<string, string>);
        expect([own, query, code, errors && Object.keys(errors)]).toEqual(
          own === query ? [own, query, undefined, undefined] : [own, query, 'invalid_cursor', ['cursor']],
        );
      }
  });

  it('422: another tenant’s', async () => {
    const [mine, theirs] = [await openBusySalon(), await openBusySalon()];
    const { meta } = await theirs.list({ per_page: '1' });
    expect(await mine.list({ cursor: meta.next_cursor })).toMatchObject({
      code: 'invalid_cursor',
      errors: {
        cursor: ['The cursor field was made for another list, filter, sort or business, or is damaged.'],
      },
    });
  });

  it('is the same on the internal port, and goes on there and back', async () => {
    const { list, tenantId, ten, nine } = await openBusySalon();
    const internal = async (query: Record<string, string>) => {
      const url = `/internal/tenants/${tenantId}/appointments?${new URLSearchParams(query)}`;
      return (await world.send('internal', operator, { method: 'GET', url })).body;
    };
    const { meta } = await list({ per_page: '1' });
    const second = await internal({ per_page: '2', cursor: meta.next_cursor });
    expect(idsOf(second.data)).toEqual(ten);
    expect(idsOf((await list({ cursor: second.meta.next_cursor })).data)).toEqual([nine]);
    const { meta: coming } = await internal({ per_page: '1', is_coming: 'true' });
    expect((await list({ cursor: coming.next_cursor })).code).toBe('invalid_cursor');
  });

  describe('of the form of release 0.1.0', () => {
    const valid = cursorOf(['-starts_at', 1_900_000_000.5, 7]);

    it('goes on where its sort fits, with any filter', async () => {
      const { list, ten, nine } = await openBusySalon();
      const { data } = await list({ per_page: '1' });
      const old = cursorOf(['-starts_at', Date.parse(data[0].starts_at) / 1_000, data[0].id]);
      expect(idsOf((await list({ cursor: old })).data)).toEqual([...ten, nine]);
      expect(idsOf((await list({ cursor: old, status: 'scheduled' })).data)).toEqual([...ten, nine]);
      expect((await list({ cursor: old, sort: 'starts_at' })).code).toBe('invalid_cursor');
      expect((await list({ cursor: old, updated_since: '2020-01-01T00:00:00Z' })).code).toBe(
        'invalid_cursor',
      );
    });

    it.each([
      ['nothing', ''],
      ['not base64url', `${valid}=`],
      ['another character', `${valid.slice(0, -1)}!`],
      ['a NUL', '\0'],
      ['text', Buffer.from('hello').toString('base64url')],
      ['half a cursor', valid.slice(0, -8)],
      ['ten thousand characters', 'A'.repeat(10_000)],
      ['a number', cursorOf(5)],
      ['no array', cursorOf({ sort: '-starts_at', value: 1, id: 1 })],
      ['too few', cursorOf(['-starts_at', 1])],
      ['too many', cursorOf(['-starts_at', 1, 1, 1])],
      ['null', cursorOf([null, null, null])],
      ['text for a number', cursorOf(['-starts_at', '2026-01-01', 1])],
      ['an instant that PostgreSQL does not know', cursorOf(['-starts_at', 1e13, 1])],
      ['a number beyond numbers', Buffer.from('["-starts_at",1e999,1]').toString('base64url')],
      ['an id that is none', cursorOf(['-starts_at', 1, 1.5])],
      ['an id beyond bigint', cursorOf(['-starts_at', 1, 1e19])],
      ['a sort with NUL', cursorOf(['-starts_at\0', 1, 1])],
      ['the name of a property', cursorOf(['constructor', 1, 1])],
    ])('422: %s', async (_case, cursor) => {
      const query = new URLSearchParams({ cursor });
      const { status, body } = await world.api(world.newTenant(), 'GET', `/appointments?${query}`);
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'invalid_cursor', ['cursor']]);
    });

    it.each([['-1e11'], ['1e12'], ['0.1234567890123']])('200: any instant, %s', async (value) => {
      const cursor = Buffer.from(`["-starts_at",${value},${Number.MAX_SAFE_INTEGER}]`).toString('base64url');
      expect((await world.api(world.newTenant(), 'GET', `/appointments?cursor=${cursor}`)).status).toBe(200);
    });
  });

  it('422: given twice; a sort that there is none of', async () => {
    const { list, tenantId } = await openBusySalon();
    const { next_cursor } = (await list({ per_page: '1' })).meta;
    const answerOf = async (query: string) =>
      (await world.api(tenantId, 'GET', `/appointments?${query}`)).body;
    expect(await answerOf(`cursor=${next_cursor}&cursor=${next_cursor}`)).toMatchObject({
      code: 'invalid_cursor',
      errors: { cursor: [expect.any(String)] },
    });
    const message = 'The sort field must be one of starts_at, -starts_at, updated_at, -updated_at.';
    for (const sort of ['sort=id', 'sort=', 'sort=-', 'sort=starts_at&sort=starts_at', 'sort=STARTS_AT']) {
      expect((await answerOf(sort)).errors).toEqual({ sort: [message] });
    }
  });
});

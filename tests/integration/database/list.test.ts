import type { TenantTransaction } from '@frontdesk/database';
import { deleteEntry, insertEntry, openEntries } from './entries-world.ts';

type Entries = Awaited<ReturnType<typeof openEntries>>;

const SORTS = ['starts_at', '-starts_at', 'updated_at', '-updated_at', 'id', '-id'];

describe('a list', () => {
  let entries: Entries;

  beforeEach(async () => {
    entries = await openEntries();
  });

  afterEach(() => entries.close());

  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

  /** Entries in no order of their starts, which are a microsecond apart; two of each start, two of each update. */
  const addTwins = async (count: number) => {
    const ids: number[] = [];
    const add = (tx: TenantTransaction, index: number) => {
      const microsecond = String(((index * 7) % count) >> 1).padStart(3, '0');
      return tx.one(insertEntry, { startsAt: `2031-06-02T09:00:00.123${microsecond}Z` });
    };
    for (let index = 0; index < count; index += 2) {
      await entries.scope.transaction(async (tx) => {
        ids.push((await add(tx, index)).id, (await add(tx, index + 1)).id);
      });
    }
    return ids;
  };

  it.each(SORTS)('by %s is the same by cursor and by page, and next_cursor ends with it', async (sort) => {
    const ids = await addTwins(10);
    const pages = await Promise.all(
      ['1', '2', '3', '4', '5'].map((page) => entries.page({ sort, per_page: '3', page })),
    );
    const walked = idsOf(await entries.walk({ sort, per_page: '3' }));
    expect(idsOf(pages.flatMap(({ rows }) => rows))).toEqual(walked);
    expect(walked.toSorted((a, b) => a - b)).toEqual(ids);
    expect(pages.map((page) => 'next_cursor' in page)).toEqual([true, true, true, false, false]);
    expect(pages.map(({ total }) => total)).toEqual([10, 10, 10, 10, 10]);
  });

  it.each([
    ['starts_at', '-starts_at'],
    ['updated_at', '-updated_at'],
    ['id', '-id'],
  ])('by %s is the exact mirror of %s', async (sort, mirrored) => {
    await addTwins(10);
    expect(idsOf(await entries.walk({ sort, per_page: '3' }))).toEqual(
      idsOf(await entries.walk({ sort: mirrored, per_page: '3' })).reverse(),
    );
  });

  it.each(SORTS)('walked by %s under inserts and deletes holds each row that stays once', async (sort) => {
    const ids = await addTwins(30);
    const staying = ids.filter((_id, index) => index % 3 !== 0);
    const leaving = ids.filter((_id, index) => index % 3 === 0);
    const walked = await entries.walk({ sort, per_page: '4' }, async () => {
      const left = leaving.pop();
      if (left !== undefined) await entries.scope.run(deleteEntry, { id: left });
      // In the midst of the starts; the latest by update and by id.
      if (leaving.length > 0)
        await entries.scope.one(insertEntry, { startsAt: '2031-06-02T09:00:00.123007Z' });
    });
    const seen = idsOf(walked);
    expect(new Set(seen).size).toBe(seen.length);
    expect(staying.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('goes on from either end of the calendar', async () => {
    for (const startsAt of ['0001-01-01T00:00:00+14', '9999-12-31T23:59:59-12']) {
      await entries.scope.one(insertEntry, { startsAt });
      await entries.scope.one(insertEntry, { startsAt });
    }
    expect(await entries.walk({ per_page: '1' })).toHaveLength(4);
    expect(await entries.walk({ per_page: '1', sort: 'starts_at' })).toHaveLength(4);
  });

  it('is walked by any process: those that start at once agree on one key', async () => {
    await addTwins(4);
    await entries.forgetCursorKey();
    const others = await Promise.all(Array.from({ length: 5 }, () => entries.otherProcess()));
    try {
      const pages = await Promise.all(others.map((page) => page({ per_page: '1' })));
      expect(new Set(pages.map(({ next_cursor }) => next_cursor)).size).toBe(1);
    } finally {
      await entries.stopOthers();
    }
  });
});

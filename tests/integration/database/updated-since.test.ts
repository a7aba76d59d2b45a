import { eventually } from '../../support/index.ts';
import { allEntries, type Entry, insertEntry, openEntries, touchEntry } from './entries-world.ts';

type Entries = Awaited<ReturnType<typeof openEntries>>;

/** Longer than changes are held back in any case. */
const HELD_MS = 1_500;
/** However long one takes. */
const ROUNDS = 9;
const EVER = '1970-01-01T00:00:00Z';

describe('updated_since', () => {
  let entries: Entries;

  beforeEach(async () => {
    entries = await openEntries();
  });

  afterEach(() => entries.close());

  /** A transaction that has written its entry; `commit` ends it. */
  async function openWriter() {
    const [written, ending] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const ended = entries.scope.transaction(async (tx) => {
      written.resolve((await tx.one(insertEntry, { startsAt: null })).id);
      await ending.promise;
    });
    return {
      id: await written.promise,
      commit: () => {
        ending.resolve();
        return ended;
      },
    };
  }

  const served = async (updated_since = EVER) => {
    const { rows, total } = await entries.page({ updated_since });
    expect(total).toBe(rows.length);
    return rows.map(({ id }) => id);
  };

  it('holds a younger change back until an older transaction has ended, then serves both in order', async () => {
    const before = await entries.scope.one(insertEntry, { startsAt: null });
    await eventually(async () => expect(await served()).toEqual([before.id]));
    const older = await openWriter();
    const younger = await openWriter();
    await younger.commit();
    // Past the margin; were it not for the older one, the younger one would be served by now.
    await eventually(async () => {
      const [newest] = (await entries.page({ sort: '-updated_at' })).rows;
      expect([newest?.id, Date.now() - (newest?.updated_at.getTime() ?? 0) > HELD_MS]).toEqual([
        younger.id,
        true,
      ]);
    });
    expect(await served()).toEqual([before.id]);

    await older.commit();
    await eventually(async () => expect(await served()).toEqual([before.id, older.id, younger.id]));
  });

  it('is inclusive, so that the last record’s updated_at serves that record again', async () => {
    await entries.scope.one(insertEntry, { startsAt: null });
    await entries.scope.one(insertEntry, { startsAt: null });
    await eventually(async () => expect(await served()).toHaveLength(2));
    const { rows } = await entries.page({ updated_since: EVER });
    const last = rows[1] as Entry;
    expect(await served(last.updated_at.toISOString())).toContain(last.id);
    expect(await served(new Date(last.updated_at.getTime() + 1).toISOString())).toEqual([]);
  });

  it('lets a poller miss nothing under writers that commit in another order than they began', async () => {
    const latest = new Map<number, number>();
    let since = EVER;
    const poll = async () => {
      const rows = await entries.walk({ updated_since: since, per_page: '3' });
      for (const { id, version } of rows) latest.set(id, version);
      since = rows.at(-1)?.updated_at.toISOString() ?? since;
    };

    /** Three writers at a time, the last to begin commits first; one is open all the while, and commits last. */
    const write = async () => {
      const held = await openWriter();
      const until = Date.now() + HELD_MS;
      for (let round = 0; round < ROUNDS || Date.now() < until; round += 1) {
        const writers = [await openWriter(), await openWriter(), await openWriter()];
        for (const writer of writers.reverse()) {
          await writer.commit();
          await entries.scope.run(touchEntry, { id: writer.id });
        }
      }
      await held.commit();
    };
    let isWriting = true;
    const polling = (async () => {
      while (isWriting) await poll();
    })();
    await Promise.all([write().then(write), write(), write()]);
    isWriting = false;
    await polling;

    const all = await entries.scope.many(allEntries);
    expect(all.length).toBeGreaterThan(100);
    await eventually(async () => {
      await poll();
      expect(latest).toEqual(new Map(all.map(({ id, version }) => [id, version])));
    });
  });
});

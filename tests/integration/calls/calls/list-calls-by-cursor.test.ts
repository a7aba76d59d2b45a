import { eventually } from '../../../support/index.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { newCallId, retellAnalysed, retellEnded } from '../sample-calls.ts';
import { retellMessage } from '../signed-messages.ts';

describe('GET /api/v1/calls', () => {
  startForEachTest('retell');

  const send = async (message: object) => {
    await calls.ingest(source, retellMessage(message, source));
    await calls.settled(tenant);
  };
  const startingAt = (hour: number) => ({ start_timestamp: Date.UTC(2026, 2, 2, hour) });
  /** Three calls; the last two begin at the same moment. */
  const addThree = async () => {
    const ids = [newCallId(), newCallId(), newCallId()] as const;
    for (const [nth, id] of ids.entries()) await send(retellEnded(id, startingAt(Math.min(9, 8 + nth))));
    return ids;
  };
  const list = (query: Record<string, string> = {}) => calls.list(tenant, query);
  const idsFor = async (query: Record<string, string>) =>
    (await list(query)).data.map(({ id }: { id: number }) => id);

  it('sorts by start or by the latest change, in either direction', async () => {
    const [first] = await addThree();
    const [c, b, a] = await idsFor({});
    await send(retellAnalysed(first, startingAt(8)));
    expect(await idsFor({ sort: '-started_at' })).toEqual([c, b, a]);
    expect(await idsFor({ sort: 'started_at' })).toEqual([a, b, c]);
    expect(await idsFor({ sort: 'updated_at' })).toEqual([b, c, a]);
    expect(await idsFor({ sort: '-updated_at' })).toEqual([a, c, b]);
  });

  it.each(['started_at', '-started_at', 'updated_at', '-updated_at'])(
    'is walked by cursor in the order of %s, also where filtered',
    async (sort) => {
      await addThree();
      for (const query of [
        { sort },
        { sort, missed: 'false', direction: 'inbound', from_date: '2026-03-02' },
      ]) {
        const walked: number[] = [];
        let cursor: string | undefined;
        do {
          const { data, meta } = await list({ ...query, per_page: '1', ...(cursor && { cursor }) });
          walked.push(data[0].id);
          expect(meta.total).toBe(3);
          cursor = meta.next_cursor;
        } while (cursor);
        expect(walked).toEqual(await idsFor(query));
      }
    },
  );

  it('totals follow what changes', async () => {
    const [first] = await addThree();
    const totals = async () => {
      const queries = [
        {},
        { sentiment: 'positive' },
        { missed: 'false', direction: 'inbound' },
        { missed: 'true' },
      ];
      const lists = await Promise.all(queries.map((query) => list(query as Record<string, string>)));
      for (const { data, meta } of lists) expect(meta.total).toBe(data.length);
      return lists.map(({ meta }) => meta.total);
    };
    expect(await totals()).toEqual([3, 0, 3, 0]);
    await send(retellAnalysed(first, startingAt(8)));
    expect(await totals()).toEqual([3, 1, 3, 0]);
    await send(retellAnalysed(first, { ...startingAt(8), call_analysis: { user_sentiment: 'Negative' } }));
    const [all, positive] = await totals();
    expect([all, (positive ?? 0) <= 1]).toEqual([3, true]);
  });

  it('422: a cursor of another sort, another filter or another list', async () => {
    await addThree();
    const { next_cursor } = (await list({ per_page: '1' })).meta;
    const { next_cursor: filtered } = (await list({ per_page: '1', from_date: '2026-03-02' })).meta;
    const ofMessages = async (query: string) =>
      (await calls.admin('GET', `/internal/tenants/${tenant}/call-messages?${query}`)).body;
    const { next_cursor: ofMessage } = (await ofMessages('per_page=1')).meta;
    const refused = [
      await list({ cursor: next_cursor, sort: 'updated_at' }),
      await list({ cursor: next_cursor, missed: 'false' }),
      await list({ cursor: next_cursor, from_date: '2026-03-02' }),
      await list({ cursor: filtered }),
      await list({ cursor: filtered, from_date: '2026-03-01' }),
      await list({ cursor: filtered, to_date: '2026-03-02' }),
      await list({ cursor: ofMessage }),
      await ofMessages(`cursor=${next_cursor}`),
    ];
    for (const { code, errors } of refused)
      expect([code, Object.keys(errors)]).toEqual(['invalid_cursor', ['cursor']]);
    expect((await list({ cursor: filtered, from_date: '2026-03-02T00:00:00+01:00' })).data).toHaveLength(2);
  });

  it('updated_since says of each call when it last changed, as its single view does', async () => {
    const [first] = await addThree();
    await send(retellAnalysed(first, startingAt(8)));
    for (const { id, created_at, updated_at } of (await list()).data)
      expect(await calls.callOf(tenant, id)).toMatchObject({ created_at, updated_at });
  });

  it('updated_since serves new and changed calls in the order of the changes', async () => {
    const [first] = await addThree();
    const [c, b, a] = await idsFor({});
    await eventually(async () =>
      expect(await idsFor({ updated_since: '1970-01-01T00:00:00Z' })).toEqual([a, b, c]),
    );
    const { updated_at } = await calls.callOf(tenant, c);
    await send(retellAnalysed(first, startingAt(8)));
    await eventually(async () => expect(await idsFor({ updated_since: updated_at })).toEqual([c, a]));
  });
});

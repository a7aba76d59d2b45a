import type { DueRow } from './due-row.repository.ts';
import { createDueRows } from './due-rows.queue.ts';

/** Rows by tenant, as the statement finds them: of each tenant the first. */
function queueOf(rows: Record<number, number[]>) {
  const asked: number[][] = [];
  const turns = createDueRows(async (without) => {
    asked.push(without);
    return Object.entries(rows).flatMap(([tenant, [id]]) =>
      without.includes(Number(tenant)) || id === undefined ? [] : [{ tenant_id: Number(tenant), id }],
    );
  });
  const done = (row: DueRow | undefined) => {
    if (!row) return;
    rows[row.tenant_id]?.shift();
    turns.giveBack(row);
  };
  return { asked, turns, done };
}

describe('turns', () => {
  it('go round the tenants, however much one of them has', async () => {
    const { turns, done } = queueOf({ 1: [10, 11, 12, 13], 2: [20], 3: [30, 31] });
    const taken: (number | undefined)[] = [];
    for (let row = await turns.take(); row; row = await turns.take()) {
      taken.push(row.id);
      done(row);
    }
    expect(taken).toEqual([10, 20, 30, 11, 31, 12, 13]);
  });

  it('are never two of one tenant at a time', async () => {
    const { turns, done } = queueOf({ 1: [10, 11], 2: [20] });
    const [one, other, none] = [await turns.take(), await turns.take(), await turns.take()];
    expect([one?.id, other?.id, none]).toEqual([10, 20, undefined]);
    done(one);
    expect((await turns.take())?.id).toBe(11);
  });

  it('are looked up once for all who ask at the same moment', async () => {
    const { asked, turns } = queueOf({ 1: [10], 2: [20] });
    const rows = await Promise.all([turns.take(), turns.take(), turns.take()]);
    expect(rows.map((row) => row?.id)).toEqual([10, 20, undefined]);
    expect(asked).toEqual([[]]);
  });
});

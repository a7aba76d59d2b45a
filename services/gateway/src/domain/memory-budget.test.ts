import { createMemoryBudget } from './memory-budget.ts';

const limits = { totalBytes: 10, holderBytes: 6 };

/** A budget that notes who was evicted. */
function budgetOf(of: Parameters<typeof createMemoryBudget>[0]) {
  const budget = createMemoryBudget(of);
  const evicted: string[] = [];
  const open = (holder: string) =>
    Object.assign(budget.open(holder), { onEvicted: () => evicted.push(holder) });
  return { budget, evicted, open };
}

it('a holder gets no more than its part, and others get theirs all the same', () => {
  const { open, evicted } = budgetOf(limits);
  const [first, second, other] = [open('a'), open('a'), open('b')];
  expect([first.hold(4), second.hold(3), second.hold(2), other.hold(4)]).toEqual([true, false, true, true]);
  expect(evicted).toEqual([]);
});

it('all together get no more than the total', () => {
  const { budget, open } = budgetOf(limits);
  for (const holder of ['a', 'b', 'c', 'd']) {
    const share = open(holder);
    while (share.hold(1));
    expect(budget.held()).toBeLessThanOrEqual(10);
  }
});

it('what is given back is there again, once', () => {
  const { budget, open } = budgetOf(limits);
  const [first, second] = [open('a'), open('b')];
  expect([first.hold(6), second.hold(4)]).toEqual([true, true]);
  first.release();
  first.release();
  expect([open('c').hold(6), budget.held()]).toEqual([true, 10]);
});

describe('when all is taken', () => {
  it('whoever would hold less gets room from whoever holds most', () => {
    const { budget, open, evicted } = budgetOf(limits);
    expect([open('a').hold(6), open('b').hold(4), open('c').hold(3)]).toEqual([true, true, true]);
    expect([evicted, budget.held()]).toEqual([['a'], 7]);
  });

  it('nobody makes room for one who would hold as much, nor in vain', () => {
    const { open, evicted } = budgetOf(limits);
    const [first, second] = [open('a'), open('a')];
    expect([first.hold(1), second.hold(4), open('b').hold(5), open('c').hold(5)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(evicted).toEqual([]);
  });

  it('many bodies of one holder count together', () => {
    const { open, evicted } = budgetOf(limits);
    for (let nth = 0; nth < 6; nth += 1) open('a').hold(1);
    open('b').hold(4);
    expect([open('c').hold(2), evicted]).toEqual([true, ['a', 'a']]);
  });

  it('a body that is whole stays', () => {
    const { open, evicted } = budgetOf(limits);
    const [first, second] = [open('a'), open('b')];
    expect([first.hold(6), second.hold(4)]).toEqual([true, true]);
    first.settle();
    expect([open('c').hold(3), open('c').hold(3), evicted]).toEqual([true, false, ['b']]);
  });
});

it('the reserve is for small bodies alone, also where the large ones are whole', () => {
  const { open, evicted } = budgetOf({ ...limits, reserve: { bytes: 3, upToBytes: 1 } });
  const [first, second] = [open('a'), open('b')];
  expect([first.hold(4), second.hold(4), second.hold(3)]).toEqual([true, false, true]);
  first.settle();
  second.settle();
  expect([open('c').hold(2), open('c').hold(1), open('c').hold(1)]).toEqual([false, true, true]);
  expect(evicted).toEqual([]);
});

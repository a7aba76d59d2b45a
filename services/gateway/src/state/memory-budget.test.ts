import { createMemoryBudget } from './memory-budget.ts';

const budgetOf10 = () => {
  const budget = createMemoryBudget({ totalBytes: 10 });
  const open = (...holders: string[]) => budget.open(holders.map((holder) => ({ holder, bytes: 6 })));
  return { budget, open };
};

it('a holder gets no more than its part, and others get theirs all the same', () => {
  const { open } = budgetOf10();
  const [first, second, other] = [open('a'), open('a'), open('b')];
  expect([first.hold(4), second.hold(3), second.hold(2), other.hold(4)]).toEqual([true, false, true, true]);
});

it('a body counts against each of its holders', () => {
  const { open } = budgetOf10();
  expect([
    open('source', 'address').hold(4),
    open('other', 'address').hold(3),
    open('other').hold(3),
  ]).toEqual([true, false, true]);
});

it('all together get no more than the total', () => {
  const { budget, open } = budgetOf10();
  for (const holder of ['a', 'b', 'c', 'd']) {
    const share = open(holder);
    while (share.hold(1));
    expect(budget.held()).toBeLessThanOrEqual(10);
  }
});

it('what is given back is there again, once', () => {
  const { budget, open } = budgetOf10();
  const [first, second] = [open('a'), open('b')];
  expect([first.hold(6), second.hold(4)]).toEqual([true, true]);
  first.release();
  first.release();
  expect([open('c').hold(6), budget.held()]).toEqual([true, 10]);
});

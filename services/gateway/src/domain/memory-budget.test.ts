import { createMemoryBudget } from './memory-budget.ts';

const budgetOf10 = () => createMemoryBudget({ totalBytes: 10, holderBytes: 6 });

it('a tenant gets no more than its part, and others get theirs all the same', () => {
  const budget = budgetOf10();
  const [first, second, other] = [budget.open(1), budget.open(1), budget.open(2)];
  expect([first.hold(4), second.hold(3), second.hold(2), other.hold(4)]).toEqual([true, false, true, true]);
});

it('all together get no more than the total', () => {
  const budget = budgetOf10();
  const [first, second] = [budget.open(1), budget.open(2)];
  expect([first.hold(6), second.hold(5), second.hold(4), budget.open(3).hold(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('what is given back is there again, once', () => {
  const budget = budgetOf10();
  const first = budget.open(1);
  const second = budget.open(2);
  expect([first.hold(6), second.hold(4)]).toEqual([true, true]);
  first.release();
  first.release();
  const third = budget.open(3);
  expect([third.hold(6), budget.open(4).hold(1)]).toEqual([true, false]);
});

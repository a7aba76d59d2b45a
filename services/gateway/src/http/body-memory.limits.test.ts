import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESS_MEMORY, BODY_MEMORY, createMemoryBudget, TENANT_MEMORY } from './body-memory.limits.ts';

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

const ROOT = join(import.meta.dirname, '../../../..');
const [all, ofTenant, ofAddress] = [BODY_MEMORY, TENANT_MEMORY, ADDRESS_MEMORY].map(
  (bytes) => `${bytes / 1024 ** 2} MiB`,
);

it.each([
  ['docs/configuration.md', `All messages together have ${all} of memory`],
  ['docs/configuration.md', `all sources of a business ${ofTenant}, and an address ${ofAddress}.`],
  ['docs/compatibility.md', `beyond the ${ofTenant} that all sources of a business have in memory`],
  ['services/gateway/README.md', `All bodies have ${all} of memory, one tenant's ${ofTenant}`],
])('%s tells operators: %s', (file, statement) => {
  expect(readFileSync(join(ROOT, file), 'utf8').replace(/\s+/g, ' ')).toContain(statement);
});

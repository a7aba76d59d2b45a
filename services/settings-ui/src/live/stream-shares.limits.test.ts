import { createStreamShares } from './stream-shares.limits.ts';

const session = (tenantId: number, token = `token ${Math.random()}`) => ({ tenantId, token });
/** How many of so many streams find a place, each of the session that `of` names. */
const granted = (
  shares: ReturnType<typeof createStreamShares>,
  count: number,
  of: (index: number) => ReturnType<typeof session>,
  end = () => {},
) => Array.from({ length: count }, (_, index) => shares.take(of(index), end)).filter(Boolean).length;

it('five for a session, and a place given back is free again', () => {
  const shares = createStreamShares();
  const giveBack = shares.take(session(1, 'a'), () => {});
  expect(granted(shares, 9, () => session(1, 'a'))).toBe(4);
  giveBack?.();
  giveBack?.();
  expect(granted(shares, 9, () => session(1, 'a'))).toBe(1);
  expect(granted(shares, 9, () => session(1, 'b'))).toBe(5);
});

it('twenty for a tenant that is alone; the fuller they are, the fewer for each', () => {
  const shares = createStreamShares();
  const perTenant = Array.from({ length: 10 }, (_, tenant) => granted(shares, 30, () => session(tenant)));
  expect(perTenant).toEqual([20, 20, 20, 13, 9, 6, 4, 3, 2, 1]);
});

it('a hundred in all', () => {
  const shares = createStreamShares();
  expect(granted(shares, 150, (index) => session(index))).toBe(100);
});

it('who has none gets one while anybody has more than one: the oldest of who has most', () => {
  const shares = createStreamShares();
  const held = new Map<number, number>();
  const ended: string[] = [];
  const take = (tenant: number) => {
    const stream = `${tenant}.${held.get(tenant) ?? 0}`;
    const giveBack = shares.take(session(tenant), () => void ended.push(stream));
    if (giveBack) held.set(tenant, (held.get(tenant) ?? 0) + 1);
    return giveBack;
  };
  for (let tenant = 0; tenant < 100; tenant += 1) {
    expect(take(tenant)).not.toBeNull();
    while (take(tenant));
  }
  const taken = [...held.values()].reduce((sum, count) => sum + count, 0);
  expect(taken - ended.length).toBe(100);
  expect(ended.slice(0, 3)).toEqual(['0.0', '1.0', '2.0']);
  // By now everybody has one.
  expect([take(100), take(0)]).toEqual([null, null]);
});

it('a place that went to another is not given back once more', () => {
  const shares = createStreamShares();
  const [first] = [shares.take(session(0), () => first?.())];
  expect(granted(shares, 19, () => session(0))).toBe(19);
  expect(granted(shares, 80, (index) => session(index + 1))).toBe(80);
  expect(granted(shares, 1, () => session(200))).toBe(1);
  expect(granted(shares, 30, () => session(0))).toBe(0);
  first?.();
  expect(granted(shares, 30, () => session(0))).toBe(0);
});

import { createStreamShares } from './stream-shares.ts';

const session = (tenantId: number, token: string) => ({ tenantId, token });
/** How many of so many streams find a place, each of the session that `of` names. */
const granted = (
  shares: ReturnType<typeof createStreamShares>,
  count: number,
  of: (index: number) => ReturnType<typeof session>,
) => Array.from({ length: count }, (_, index) => shares.take(of(index))).filter(Boolean).length;

it('five for a session, and a place given back is free again', () => {
  const shares = createStreamShares();
  const giveBack = shares.take(session(1, 'a'));
  expect(granted(shares, 9, () => session(1, 'a'))).toBe(4);
  giveBack?.();
  expect(granted(shares, 9, () => session(1, 'a'))).toBe(1);
  expect(granted(shares, 9, () => session(1, 'b'))).toBe(5);
});

it('twenty for a tenant, whose sessions keep no other tenant out', () => {
  const shares = createStreamShares();
  expect(granted(shares, 30, (index) => session(1, `token ${index}`))).toBe(20);
  expect(granted(shares, 1, () => session(2, 'another'))).toBe(1);
});

it('a hundred in all', () => {
  const shares = createStreamShares();
  expect(granted(shares, 150, (index) => session(index, `token ${index}`))).toBe(100);
});

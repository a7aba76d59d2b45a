import { createLogger } from '@frontdesk/service';
import type { Lease } from '../data/queue.repository.ts';
import { createLeaseReturns } from './lease-returns.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const LEASES: Lease[] = [
  { id: 1, lease_token: 'a' },
  { id: 2, lease_token: 'b' },
];

/** A database that refuses so many statements before it takes them. */
function refusing(times: number) {
  let refusals = times;
  const released: Lease[] = [];
  return {
    released,
    async release(leases: readonly Lease[]) {
      refusals -= 1;
      if (refusals >= 0) throw new Error('read-only');
      released.push(...leases);
    },
  };
}

it('gives leases back once the database takes it, and says so only then', async () => {
  const queue = refusing(2);
  const returns = createLeaseReturns({ queue, leaseMs: 60_000, logger });
  await returns.start();
  await returns.giveBack(LEASES);
  expect(queue.released).toEqual(LEASES);
  await returns.stop();
});

it('lets go of leases that have run out meanwhile', async () => {
  const queue = refusing(0);
  const returns = createLeaseReturns({ queue, leaseMs: 0, logger });
  await returns.start();
  await returns.giveBack(LEASES);
  expect(queue.released).toEqual([]);
  await returns.stop();
});

it('tries once more as it stops, and keeps nobody waiting then', async () => {
  const willing = refusing(0);
  const unstarted = createLeaseReturns({ queue: willing, leaseMs: 60_000, logger });
  const returned = unstarted.giveBack(LEASES);
  await unstarted.stop();
  await returned;
  expect(willing.released).toEqual(LEASES);

  const unwilling = refusing(Number.POSITIVE_INFINITY);
  const returns = createLeaseReturns({ queue: unwilling, leaseMs: 60_000, logger });
  await returns.start();
  const refused = returns.giveBack(LEASES);
  await returns.stop();
  await refused;
  await returns.giveBack(LEASES);
  expect(unwilling.released).toEqual([]);
});

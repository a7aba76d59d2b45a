import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { engines, eventually, uniqueTenantId } from '../../support/index.ts';

const connections = Array.from({ length: 2 }, () => new Redis(engines().redisUrl, { lazyConnect: true }));
beforeAll(() => Promise.all(connections.map((redis) => redis.connect())));
afterAll(() => {
  for (const redis of connections) redis.disconnect();
});

const window = (seconds: number, limit: number): RateWindow => ({ name: `w${seconds}`, seconds, limit });
const newSubject = () => `edges:${uniqueTenantId()}`;

it('each window grants exactly its limit, also to two processes that ask across its edges', async () => {
  const [subject, windows] = [newSubject(), [window(1, 7)]];
  const granted = new Map<number, number>();
  const takers = connections.map(createSharedLimiter);
  const seconds = () => granted.size;
  const ask = async (take: ReturnType<typeof createSharedLimiter>) => {
    while (seconds() < 4) {
      const grants = await Promise.all(Array.from({ length: 10 }, () => take(subject, windows, 1)));
      for (const grant of grants) {
        const second = Math.floor(grant.nowMs / 1_000);
        granted.set(second, (granted.get(second) ?? 0) + grant.granted);
      }
    }
  };
  await Promise.all(takers.map(ask));
  // The last one has only begun.
  expect([...granted.values()].slice(0, -1)).toEqual([7, 7, 7]);
});

it('a counter is gone with its window, and nothing of it stays in Redis', async () => {
  const [redis] = connections as [Redis];
  const subject = newSubject();
  await createSharedLimiter(redis)(subject, [window(1, 7), window(2, 9)], 3);
  await eventually(async () => expect(await redis.keys(`rate:{${subject}}:*`)).toEqual([]));
});

it('what one window has no room for leaves no trace in the other', async () => {
  const take = createSharedLimiter(connections[0] as Redis);
  const [subject, minute, day] = [newSubject(), window(3_600, 30), window(86_400, 5)];
  expect((await take(subject, [minute, day], 8)).granted).toBe(5);
  expect(await take(subject, [minute, day], 8)).toMatchObject({ granted: 0, used: [5, 5] });
  expect(await take(subject, [minute], 0)).toMatchObject({ used: [5] });
});

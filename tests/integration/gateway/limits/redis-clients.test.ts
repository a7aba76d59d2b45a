import { createRedis, createSharedLimiter, type RateWindow, type SharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { createAccessChanges } from '../../../../services/gateway/src/keys/access-changes.client.ts';
import {
  engines,
  eventually,
  logger,
  type Relay,
  startRelay,
  uniqueTenantId,
} from '../../../support/index.ts';

describe('the shared limiter', () => {
  const connections = Array.from({ length: 2 }, () => new Redis(engines().redisUrl, { lazyConnect: true }));
  beforeAll(() => Promise.all(connections.map((redis) => redis.connect())));
  afterAll(() => {
    for (const redis of connections) redis.disconnect();
  });

  const window = (seconds: number, limit: number): RateWindow => ({ seconds, limit });
  /** Seconds of a window that no test sees the end of, whenever it runs. */
  const LONG = 10 ** 10;
  const countersOf = (subject: string) => (connections[0] as Redis).keys(`rate:{${subject}}:*`);
  const newSubject = () => `edges:${uniqueTenantId()}`;
  const limiter = () => createSharedLimiter(connections[0] as Redis);

  it('each window grants exactly its limit, also to two processes that ask across its edges', async () => {
    const [subject, second] = [newSubject(), window(1, 7)];
    const granted = new Map<number, number>();
    const takers = connections.map((redis) => createSharedLimiter(redis));
    const ask = async ({ take }: SharedLimiter) => {
      while (granted.size < 4) {
        const grants = await Promise.all(Array.from({ length: 10 }, () => take(subject, second)));
        for (const { nowMs, isGranted } of grants) {
          const nth = Math.floor(nowMs / 1_000);
          granted.set(nth, (granted.get(nth) ?? 0) + (isGranted ? 1 : 0));
        }
      }
    };
    await Promise.all(takers.map(ask));
    // Ten at a time are more than one has.
    expect(new Set(granted.values())).toEqual(new Set([7]));
  });

  it('a counter is gone with its window, and nothing of it stays in Redis', async () => {
    const subject = newSubject();
    await limiter().take(subject, window(1, 7), 3);
    await limiter().take(subject, window(2, 9));
    expect((await countersOf(subject)).length).toBeGreaterThan(0);
    await eventually(async () => expect(await countersOf(subject)).toEqual([]));
  });

  it('grants all that is asked for or nothing, and what is refused is not counted', async () => {
    const { take, read } = limiter();
    const [subject, five] = [newSubject(), window(LONG, 5)];
    const grants = await Promise.all([3, 3, 2, 1].map((count) => take(subject, five, count)));
    expect(grants.map(({ isGranted }) => isGranted)).toEqual([true, false, true, false]);
    expect(await take(subject, five)).toMatchObject({ isGranted: false, used: 5 });
    expect((await read(subject, five)).used).toBe(5);
    // A smaller limit, as after a change of plan, refuses; a larger one goes on from there.
    expect((await take(subject, window(LONG, 3))).isGranted).toBe(false);
    expect(await take(subject, window(LONG, 6))).toMatchObject({ isGranted: true, used: 5 });
  });

  it('who asks in the same turn gets what is his own', async () => {
    const { take } = limiter();
    const subjects = Array.from({ length: 150 }, newSubject);
    const grants = await Promise.all(
      subjects.map((subject, place) => take(subject, window(LONG, 5), 1 + (place % 5))),
    );
    expect(grants.map(({ isGranted, used }) => [isGranted, used])).toEqual(Array(150).fill([true, 0]));
    const seconds = await Promise.all(subjects.map((subject) => take(subject, window(LONG, 5), 2)));
    for (const [place, grant] of seconds.entries())
      expect(grant).toMatchObject({ isGranted: place % 5 <= 2, used: 1 + (place % 5) });
  });

  it('what is given back is there again, in the window that is still the same, and never more than was taken', async () => {
    const { take, read, giveBack } = limiter();
    const [subject, two] = [newSubject(), window(LONG, 2)];
    const { nowMs } = await take(subject, two);
    await giveBack(subject, two, { nowMs });
    expect(await countersOf(subject)).toEqual([]);
    await giveBack(subject, two, { nowMs });
    expect((await read(subject, two)).used).toBe(0);
    await take(subject, two, 2);
    await giveBack(subject, two, { nowMs: nowMs - LONG * 1_000 });
    expect((await read(subject, two)).used).toBe(2);
    await giveBack(subject, two, { nowMs });
    expect((await read(subject, two)).used).toBe(1);
  });

  it('counters that Redis has lost begin again', async () => {
    const [redis] = connections as [Redis];
    const { take } = limiter();
    const subject = newSubject();
    await take(subject, window(LONG, 3), 2);
    expect(await take(subject, window(LONG, 3), 2)).toMatchObject({ isGranted: false, used: 2 });
    await redis.del(...(await countersOf(subject)));
    expect(await take(subject, window(LONG, 3), 2)).toMatchObject({ isGranted: true, used: 0 });
    for (const counter of await countersOf(subject)) expect(await redis.pttl(counter)).toBeGreaterThan(0);
  });

  it('no window grants more than its limit to those who ask for several at its very edges, and every counter ends', async () => {
    const [subject, limit, edges] = [newSubject(), 5, 60];
    const granted = new Map<number, number>();
    const ask = async ({ take }: SharedLimiter) => {
      while (granted.size < edges) {
        const counts = Array.from({ length: 8 }, (_, n) => 1 + (n % 4));
        const grants = await Promise.all(counts.map((count) => take(subject, window(0.05, limit), count)));
        for (const [n, { nowMs, isGranted }] of grants.entries()) {
          const place = Math.floor(nowMs / 50);
          granted.set(place, (granted.get(place) ?? 0) + (isGranted ? (counts[n] ?? 0) : 0));
        }
      }
    };
    await Promise.all(connections.map((redis) => createSharedLimiter(redis)).map(ask));
    // Fewer, where a busy machine has nobody ask again.
    expect(Math.max(...granted.values())).toBe(limit);
    const redis = connections[0] as Redis;
    for (const counter of await countersOf(subject)) expect(await redis.pttl(counter)).not.toBe(-1);
  });
});

describe('changes of access', () => {
  const connections: Redis[] = [];
  const newConnection = () => {
    const redis = new Redis(engines().redisUrl, { lazyConnect: true, enableOfflineQueue: false });
    connections.push(redis);
    return redis;
  };
  afterAll(() => {
    for (const redis of connections) redis.disconnect();
  });

  it('what could not be announced before is announced at the stop', async () => {
    const heard: number[] = [];
    const listener = newConnection();
    listener.on('message', (_channel: string, tenantId: string) => heard.push(Number(tenantId)));
    await listener.connect();
    await listener.subscribe('gateway:access-changed');

    const publisher = newConnection();
    const changes = createAccessChanges({
      publisher,
      subscriber: newConnection(),
      onTenant: () => {},
      onReset: () => {},
      onSilence: async () => {},
    });
    const tenantId = uniqueTenantId();
    // Redis is away for this connection, and the part's own retries never began.
    changes.announce(tenantId);
    await eventually(() => expect(publisher.status).toBe('ready'));
    await changes.stop?.();
    await eventually(() => expect(heard).toContain(tenantId));
  });
});

describe('the connection to Redis', () => {
  let relay: Relay;
  let connection: ReturnType<typeof createRedis>;

  beforeAll(async () => {
    relay = await startRelay(engines().redisUrl);
    const named = { service: 'test', name: 'lost', logger };
    connection = createRedis({ url: relay.url, timeoutMs: 500, ...named });
  });
  afterAll(async () => {
    await connection.component.stop?.();
    await relay.close();
  });

  it('a connection over which nothing comes any more is dead, and another is made', async () => {
    const { redis, component } = connection;
    await component.start?.();
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
    const closed = new Promise<void>((resolve) => redis.once('close', resolve));
    // Not even its end is heard of: only what it doesn't answer tells.
    relay.hang();
    await closed;
    await expect(redis.ping()).rejects.toThrow();
    await relay.restore();
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
  });
});

import { createRedis, createSharedLimiter, type RateWindow, type SharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { createAccessChanges } from '../../../services/gateway/src/clients/access-changes.ts';
import { engines, eventually, logger, type Relay, startRelay, uniqueTenantId } from '../../support/index.ts';

describe('the shared limiter', () => {
  const connections = Array.from({ length: 2 }, () => new Redis(engines().redisUrl, { lazyConnect: true }));
  beforeAll(() => Promise.all(connections.map((redis) => redis.connect())));
  afterAll(() => {
    for (const redis of connections) redis.disconnect();
  });

  const window = (seconds: number, limit: number): RateWindow => ({ name: `w${seconds}`, seconds, limit });
  /** Seconds of windows that no test sees the end of, whenever it runs. */
  const SHORT = 10 ** 10;
  const LONG = 10 ** 11;
  const countersOf = (subject: string) => (connections[0] as Redis).keys(`rate:{${subject}}:*`);
  const newSubject = () => `edges:${uniqueTenantId()}`;

  it('each window grants exactly its limit, also to two processes that ask across its edges', async () => {
    const [subject, windows] = [newSubject(), [window(1, 7)]];
    const granted = new Map<number, number>();
    const takers = connections.map((redis) => createSharedLimiter(redis));
    const seconds = () => granted.size;
    const ask = async ({ take }: SharedLimiter) => {
      while (seconds() < 4) {
        const grants = await Promise.all(Array.from({ length: 10 }, () => take(subject, windows, 1)));
        for (const grant of grants) {
          const second = Math.floor(grant.nowMs / 1_000);
          granted.set(second, (granted.get(second) ?? 0) + grant.granted);
        }
      }
    };
    await Promise.all(takers.map(ask));
    // Ten at a time are more than one has.
    expect(new Set(granted.values())).toEqual(new Set([7]));
  });

  it('a counter is gone with its window, and nothing of it stays in Redis', async () => {
    const subject = newSubject();
    await createSharedLimiter(connections[0] as Redis).take(subject, [window(1, 7), window(2, 9)], 3);
    await eventually(async () => expect(await countersOf(subject)).toEqual([]));
  });

  it('what one window refuses leaves no trace in the other', async () => {
    const { take } = createSharedLimiter(connections[0] as Redis);
    const [subject, minute, day] = [newSubject(), window(SHORT, 30), window(LONG, 5)];
    const grants = await Promise.all(Array.from({ length: 8 }, () => take(subject, [minute, day], 1)));
    expect(grants.map(({ granted }) => granted)).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
    expect(await take(subject, [minute, day], 1)).toMatchObject({ granted: 0, used: [5, 5] });
    expect(await take(subject, [minute], 0)).toMatchObject({ used: [5] });
  });

  it('who asks in the same turn gets what is his own, also one who asks twice', async () => {
    const { take } = createSharedLimiter(connections[0] as Redis);
    const subjects = Array.from({ length: 150 }, newSubject);
    const windowsOf = (place: number) => [window(SHORT, place % 5), window(LONG, 3)];
    const grants = await Promise.all(
      subjects.flatMap((subject, place) => [
        take(subject, windowsOf(place), 2),
        take(subject, windowsOf(place), 1),
      ]),
    );
    for (const [place] of subjects.entries()) {
      const left = Math.min(place % 5, 3);
      const first = left >= 2 ? 2 : 0;
      expect(grants[2 * place]).toMatchObject({ granted: first, used: [0, 0] });
      expect(grants[2 * place + 1]).toMatchObject({ granted: left > first ? 1 : 0, used: [first, first] });
    }
  });

  it('what is given back is there again, in the windows that are still the same, and never more than was taken', async () => {
    const { take, giveBack } = createSharedLimiter(connections[0] as Redis);
    const [subject, windows] = [newSubject(), [window(SHORT, 2), window(LONG, 2)]];
    const { nowMs } = await take(subject, windows, 1);
    await giveBack(subject, windows, nowMs);
    await giveBack(subject, windows, nowMs);
    expect(await take(subject, windows, 0)).toMatchObject({ used: [0, 0] });
    await take(subject, windows, 2);
    await giveBack(subject, windows, nowMs - SHORT * 1_000);
    expect(await take(subject, windows, 0)).toMatchObject({ used: [2, 2] });
  });

  it('counters that Redis has lost begin again', async () => {
    const [redis] = connections as [Redis];
    const { take } = createSharedLimiter(redis);
    const subject = newSubject();
    await take(subject, [window(SHORT, 3)], 2);
    expect(await take(subject, [window(SHORT, 3)], 2)).toMatchObject({ granted: 0, used: [2] });
    await redis.del(...(await countersOf(subject)));
    expect(await take(subject, [window(SHORT, 3)], 2)).toMatchObject({ granted: 2, used: [0] });
    for (const counter of await countersOf(subject)) expect(await redis.pttl(counter)).toBeGreaterThan(0);
  });

  it('no window grants more than its limit to those who ask for several at its very edges, and every counter ends', async () => {
    const [subject, limit, edges] = [newSubject(), 5, 60];
    const windows = [window(0.05, limit), window(LONG, 1_000_000)];
    const granted = new Map<number, number>();
    const ask = async ({ take }: SharedLimiter) => {
      while (granted.size < edges) {
        const counts = Array.from({ length: 8 }, (_, n) => 1 + (n % 4));
        for (const grant of await Promise.all(counts.map((count) => take(subject, windows, count)))) {
          const place = Math.floor(grant.nowMs / 50);
          granted.set(place, (granted.get(place) ?? 0) + grant.granted);
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

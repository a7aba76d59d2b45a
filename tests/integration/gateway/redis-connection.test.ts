import { createRedis } from '@frontdesk/redis';
import { engines, eventually, logger, type Relay, startRelay } from '../../support/index.ts';

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

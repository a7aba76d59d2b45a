import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, startEngines } from '@frontdesk/local-stack';
import { Redis } from 'ioredis';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';

const MIB = 2 ** 20;

/** A Redis of the test's own, for what would disturb the others; without users. */
export async function startOwnRedis(name: string) {
  const directory = join('.local', `redis-${name}-${process.pid}`);
  const [port = 0] = await freePorts(1);
  const { databaseUrl, kafkaBrokers } = engines();
  const own = await startEngines({
    directory,
    ports: { postgres: 0, redis: port, kafka: 0, kafkaController: 0 },
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      KAFKA_BROKERS: kafkaBrokers,
      REDIS_URL: undefined,
      REDIS_MAXMEMORY: '64mb',
    },
    durable: false,
  });
  const redis = new Redis(own.redisUrl);
  return {
    url: own.redisUrl,
    /** The test's own connection. */
    redis,
    /** Fills it beyond its bound: it refuses whatever takes memory. */
    async fill() {
      for (let i = 0; i < 4; i += 1) await redis.set(`filling:${i}`, 'x'.repeat(MIB));
      await redis.config('SET', 'maxmemory', '2mb');
    },
    /** Makes room again. */
    async clear() {
      await redis.del(...Array.from({ length: 4 }, (_, i) => `filling:${i}`));
      await redis.config('SET', 'maxmemory', '64mb');
    },
    /** It can't save to its disk any more, and so refuses all writes. */
    async loseDisk() {
      await redis.config('SET', 'save', '3600 1');
      await redis.config('SET', 'stop-writes-on-bgsave-error', 'yes');
      const [, directory = ''] = (await redis.config('GET', 'dir')) as string[];
      await rm(directory, { recursive: true, force: true });
      await redis.bgsave();
      await eventually(async () => {
        const refused = await redis.set('probe', '1').catch((error: Error) => error.message);
        if (!refused?.startsWith('MISCONF')) throw new Error(`not refused: ${refused}`);
      });
    },
    async findDisk() {
      await redis.config('SET', 'stop-writes-on-bgsave-error', 'no');
    },
    async stop() {
      redis.disconnect();
      await own.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

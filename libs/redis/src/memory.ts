import { type Metrics, readTogether } from '@frontdesk/service';
import type { Cluster, Redis } from 'ioredis';
import { nodesOf } from './connection.ts';

interface RedisMemory {
  usedBytes: number;
  /** `maxmemory`; 0 where nothing bounds it. */
  maxBytes: number;
}

/** How much memory Redis uses, and from where on it refuses writes. */
async function readRedisMemory(redis: Redis): Promise<RedisMemory> {
  const info = await redis.info('memory');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return { usedBytes: numberOf('used_memory'), maxBytes: numberOf('maxmemory') };
}

const shareUsed = ({ usedBytes, maxBytes }: RedisMemory) =>
  usedBytes / (maxBytes || Number.POSITIVE_INFINITY);

/** Reports the memory at each scrape; for a cluster, that of its fullest node. Unknown while Redis is away. */
export function watchRedisMemory({ watch }: Metrics, redis: Redis | Cluster): void {
  const read = readTogether(async () => {
    const nodes = await Promise.all(nodesOf(redis).map(readRedisMemory));
    return nodes.reduce((fullest, node) => (shareUsed(node) > shareUsed(fullest) ? node : fullest));
  });
  watch({ name: 'redis_used_bytes', help: 'Memory that Redis uses.' }, async () => (await read()).usedBytes);
  watch(
    { name: 'redis_max_bytes', help: 'Memory that Redis may use before it refuses writes; 0 for no bound.' },
    async () => (await read()).maxBytes,
  );
}

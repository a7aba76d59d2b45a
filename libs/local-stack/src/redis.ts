import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from './engine-process.ts';
import type { Engine, LocalStart } from './types.ts';

/** The system's redis-server; every write is appended to a file, so that its data outlives it. */
export async function startRedis(start: LocalStart): Promise<Engine> {
  const data = join(start.directory, 'redis');
  mkdirSync(data, { recursive: true });
  const { redisUsers } = start;
  const aclFile = join(start.directory, 'redis-users.acl');
  if (redisUsers) writeFileSync(aclFile, redisUsers.aclFile, { mode: 0o600 });
  const port = String(start.ports.redis);
  const { stop } = await startProcess(
    {
      name: 'Redis',
      command: 'redis-server',
      args: [
        '--port',
        port,
        '--bind',
        '127.0.0.1',
        '--dir',
        data,
        '--appendonly',
        'yes',
        '--save',
        '',
        ...memoryBound(start),
      ].concat(redisUsers ? ['--aclfile', aclFile] : []),
      cwd: data,
      logFile: join(start.directory, 'redis.log'),
      stopSignal: 'SIGTERM',
      isReady: (log) => log.includes('Ready to accept connections'),
    },
    start,
  );
  return { address: redisAddress(start), stop };
}

const MAX_MEMORY = '512mb';

/** A Redis that is full refuses what would take more, and forgets nothing by itself: sessions and limits are in it. */
export const memoryBound = ({ env }: LocalStart): string[] => [
  '--maxmemory',
  env.REDIS_MAXMEMORY || MAX_MEMORY,
  '--maxmemory-policy',
  'noeviction',
];

/** The administrator's, where there are users. */
export function redisAddress({ redisUsers, ports }: LocalStart): string {
  const administrator = redisUsers ? `admin:${redisUsers.administratorPassword}@` : '';
  return `redis://${administrator}127.0.0.1:${ports.redis}`;
}

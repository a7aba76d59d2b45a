import { Redis } from 'ioredis';
import { administratorPassword } from '../../scripts/start/engines/engine-passwords.ts';
import { keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import type { LocalSystem } from '../e2e/support/local-system.ts';

/** Well below the minute that a count lasts, and the requests that a plan allows in it. */
const EVERY_MS = 250;

/** Forgets again and again what a tenant has used of its plan, until stopped: other tests try what answers 429. */
export async function forgetRateLimit(system: LocalSystem, tenantId: number): Promise<() => Promise<void>> {
  const redis = new Redis(systemPorts(system.portBase).redis, '127.0.0.1', {
    username: 'admin',
    password: await administratorPassword('redis', keyFilesIn(system.keysDirectory)),
  });
  const forget = async () => {
    const counts = await redis.keys(`rate:{tenant:${tenantId}}*`);
    if (counts.length > 0) await redis.del(counts);
  };
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(forget);
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await last.finally(() => redis.disconnect());
  };
}

import { z } from 'zod';
import { serviceEnv } from '../config/config.ts';
import { EngineAccessError } from '../errors/engine-access-error.ts';
import { run } from './run.ts';

/** What run.test.ts starts: a service that fails as FAULT says, and whose one part says when it stops. */
const FAULTS: Record<string, () => unknown> = {
  rejection: () => Promise.reject(new Error('nobody waits for this')),
  exception: () => {
    throw new Error('nobody catches this');
  },
  object: () => Promise.reject(JSON.parse('{"toString": 1, "valueOf": 1}')),
  twice: () => {
    // Both are raised before any awaiting code continues.
    void FAULTS.rejection?.();
    void FAULTS.rejection?.();
  },
  none: () => {},
  refusal: () => refuse(new EngineAccessError('REDIS_URL', new Error('WRONGPASS'))),
};
const { promise: refused, reject: refuse } = Promise.withResolvers<never>();

await run({
  name: 'failing',
  configSchema: z.object({ ...serviceEnv, FAULT: z.string(), HANGS: z.stringbool().default(false) }),
  build: async ({ FAULT, HANGS }, { logger }) => {
    const idle = setInterval(() => {}, 1_000);
    return [
      {
        name: 'failing part',
        refused,
        drain: () => logger.info('draining'),
        start: async () => {
          setTimeout(() => FAULTS[FAULT]?.());
        },
        stop: async () => {
          logger.info('part stopped');
          if (HANGS) await new Promise(() => {});
          clearInterval(idle);
        },
      },
    ];
  },
});

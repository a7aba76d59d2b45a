import { randomUUID } from 'node:crypto';
import type { Database } from '@frontdesk/database';
import { createMetrics, createSecretBox } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { createWrongPasswords } from '../../../../services/settings-ui/src/audit/note-wrong-password.ts';
import { derive } from '../../../../services/settings-ui/src/passwords/password-hash.rules.ts';
import { createPasswordHasher } from '../../../../services/settings-ui/src/passwords/password-hasher.ts';
import { createSessions } from '../../../../services/settings-ui/src/session/session-store.ts';
import { signIn } from '../../../../services/settings-ui/src/sign-in/sign-in.ts';
import { createSignInAttempts } from '../../../../services/settings-ui/src/sign-in/sign-in-attempts.ts';
import { engines, logger } from '../../../support/index.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
let redis: Redis;
beforeAll(async () => {
  world = await startSettingsWorld();
  redis = new Redis(engines().redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

type Steps = string[];

/** Notes the statements that a scope runs. */
const noting = <Scope extends object>(scope: Scope, steps: Steps): Scope =>
  new Proxy(scope, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (statement: { name?: string }, ...args: unknown[]) => {
        if (statement.name) steps.push(statement.name);
        return value(statement, ...args);
      };
    },
  });

const notingDatabase = (database: Database, steps: Steps): Database => ({
  ...database,
  system: noting(database.system, steps),
  systemForRequests: noting(database.systemForRequests, steps),
  forTenant: (tenantId) => noting(database.forTenant(tenantId), steps),
});

/** What a sign-in with a wrong password does, in this order. */
async function stepsOf(email: string): Promise<Steps> {
  const steps: Steps = [];
  const by = ((algorithm, { message: _secret, nonce: _salt, ...parameters }) => {
    steps.push(JSON.stringify([algorithm, parameters]));
    return derive(algorithm, { message: _secret, nonce: _salt, ...parameters });
  }) as typeof derive;
  const database = notingDatabase(world.database, steps);
  const deps = {
    database,
    noteWrongPassword: createWrongPasswords({ database, logger, metrics: createMetrics() }).note,
    sessions: createSessions(redis, createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }])),
    attempts: createSignInAttempts(redis),
    passwords: createPasswordHasher({ by }),
  };
  const client = { address: '192.0.2.7', userAgent: '' };
  const attempt = { email, password: 'wrong', client, device: null };
  await expect(signIn(deps, attempt)).rejects.toThrow('The email or password is wrong.');
  return steps;
}

it('a wrong password and an unknown address take the same steps, first and again, whatever businesses there are', async () => {
  const { email } = await world.newAdmin();
  await world.join(email);
  const unknown = `nobody-${randomUUID()}@salon.example`;
  const steps = [await stepsOf(email), await stepsOf(unknown), await stepsOf(email), await stepsOf(unknown)];
  const argon2 = JSON.stringify(['argon2id', { tagLength: 32, memory: 19_456, passes: 2, parallelism: 1 }]);
  expect(steps).toEqual(Array(4).fill(['accounts_find_by_email', argon2, 'wrong_passwords_insert']));
});

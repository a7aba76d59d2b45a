import type { KeyAccess } from './api-key.rules.ts';
import { createKeyCache } from './key.cache.ts';

const access = (tenantId: number): KeyAccess => ({
  tenantId,
  keyId: tenantId * 10,
  plan: 'pro',
  status: 'active',
  scopes: ['staff:read'],
  expiresAtMs: null,
  networks: null,
});

const ttl = { ttlMs: 9_000, unknownTtlMs: 5_000 };

/** A cache over a store that the test changes, whose look-ups the test can hold back. */
function cacheOver(store: Map<string, KeyAccess>) {
  const state = { now: 0, lookups: 0, gate: Promise.resolve() };
  const cache = createKeyCache({
    ...ttl,
    async findMany(keyHashes) {
      state.lookups += keyHashes.length;
      const found = new Map(store);
      await state.gate;
      return found;
    },
    now: () => state.now,
  });
  return { cache, state };
}

it('looks a key up once, however many ask at once', async () => {
  const { cache, state } = cacheOver(new Map([['a', access(1)]]));
  const answers = await Promise.all([cache.resolve('a'), cache.resolve('a'), cache.resolve('a')]);
  expect([answers, state.lookups]).toEqual([[access(1), access(1), access(1)], 1]);
  await cache.resolve('a');
  expect(state.lookups).toBe(1);
});

it('a change that nobody announced is noticed within ten seconds, however often the key is used', async () => {
  const store = new Map([['a', access(1)]]);
  const { cache, state } = cacheOver(store);
  await cache.resolve('a');
  store.delete('a');
  state.now = 8_999;
  expect(await cache.resolve('a')).toEqual(access(1));
  expect(state.lookups).toBe(1);
  state.now = 9_000;
  expect(await cache.resolve('a')).toBeNull();
});

it('remembers that a key is nobody’s, until something changes or five seconds have passed', async () => {
  const store = new Map<string, KeyAccess>();
  const { cache, state } = cacheOver(store);
  expect(await cache.resolve('a')).toBeNull();
  expect(await cache.resolve('a')).toBeNull();
  expect(state.lookups).toBe(1);
  state.now = 5_000;
  await cache.resolve('a');
  expect(state.lookups).toBe(2);
  store.set('a', access(1));
  cache.forgetTenant(1);
  expect(await cache.resolve('a')).toEqual(access(1));
});

it('a change forgets the tenant’s keys and no one else’s', async () => {
  const store = new Map([
    ['a', access(1)],
    ['b', access(2)],
  ]);
  const { cache, state } = cacheOver(store);
  await Promise.all([cache.resolve('a'), cache.resolve('b')]);
  store.clear();
  cache.forgetTenant(1);
  expect([await cache.resolve('a'), await cache.resolve('b')]).toEqual([null, access(2)]);
  cache.forgetAll();
  expect(await cache.resolve('b')).toBeNull();
  expect(state.lookups).toBe(4);
});

it('a look-up that a change overtakes is neither stored nor shared', async () => {
  const store = new Map([['a', access(1)]]);
  const { cache, state } = cacheOver(store);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  const before = cache.resolve('a');
  store.delete('a');
  cache.forgetTenant(1);
  const after = cache.resolve('a');
  resolve();
  await before;
  expect(await after).toBeNull();
  expect(await cache.resolve('a')).toBeNull();
});

it('a recheck forgets what has changed meanwhile, and nothing else', async () => {
  const store = new Map([
    ['a', access(1)],
    ['b', access(2)],
    ['c', access(3)],
  ]);
  const { cache, state } = cacheOver(store);
  for (const key of ['a', 'b', 'c']) await cache.resolve(key);
  store.delete('a');
  store.set('b', { ...access(2), status: 'suspended' });
  await cache.recheck();
  state.lookups = 0;
  expect(await cache.resolve('a')).toBeNull();
  expect(await cache.resolve('b')).toMatchObject({ status: 'suspended' });
  expect(state.lookups).toBe(2);
  await cache.resolve('c');
  expect(state.lookups).toBe(2);
});

it('who guesses keys keeps nobody else waiting', async () => {
  const asked: string[][] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const cache = createKeyCache({
    ...ttl,
    async findMany(keyHashes) {
      asked.push(keyHashes);
      if (keyHashes[0] === 'guess') await held;
      return new Map([['good', access(1)]]);
    },
  });
  const guesses = ['guess', 'x', 'y', 'z'].map((key) => cache.resolve(key, () => true));
  expect(await cache.resolve('good')).toEqual(access(1));
  expect(asked).toEqual([['guess'], ['good']]);
  release();
  await Promise.all(guesses);
  expect(asked[2]).toEqual(['x', 'y', 'z']);
});

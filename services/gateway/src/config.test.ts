import { configSchema } from './config.ts';

const PROMISED_MS = 10_000;
/** For a request that was let in just before the key is forgotten. */
const UNDER_WAY_MS = 1_000;

it('forgets a key soon enough that a revoked one is refused within ten seconds, whatever becomes of the announcement', () => {
  const { KEY_CACHE_MS, UNKNOWN_KEY_CACHE_MS } = configSchema.shape;
  expect(KEY_CACHE_MS.parse(undefined) + UNDER_WAY_MS).toBeLessThanOrEqual(PROMISED_MS);
  expect(UNKNOWN_KEY_CACHE_MS.parse(undefined)).toBeLessThanOrEqual(PROMISED_MS);
});

import fc from 'fast-check';
import { backOffMs, keepTrying } from './back-off.ts';

it('waits double the time after each failure, from 100 ms to the longest', () => {
  expect([1, 2, 3, 4, 5, 6].map((failures) => backOffMs(failures, 1_000))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
  const property = fc.property(
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 100, max: 60_000 }),
    (n, longest) => {
      expect(backOffMs(n, longest)).toBeLessThanOrEqual(backOffMs(n + 1, longest));
      expect(backOffMs(n, longest)).toBeLessThanOrEqual(longest);
    },
  );
  fc.assert(property);
});

describe('trying', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('goes on until it succeeds or must stop, and says how often it failed', async () => {
    const many = fc.integer({ min: 0, max: 8 });
    const property = fc.asyncProperty(
      many,
      fc.integer({ min: 0, max: 2_000 }),
      async (failing, stopsAtMs) => {
        const stopping = new AbortController();
        const failures: number[] = [];
        const tries: number[] = [];
        const since = Date.now();
        const trying = keepTrying(
          async () => {
            tries.push(Date.now() - since);
            if (tries.length <= failing) throw new Error('not yet');
          },
          { signal: stopping.signal, longestMs: 500, onFailure: (_error, count) => failures.push(count) },
        );
        setTimeout(() => stopping.abort(), stopsAtMs);
        await jest.advanceTimersByTimeAsync(5_000);
        await trying;
        const expected = [0, 100, 300, 700, 1_200, 1_700, 2_200, 2_700, 3_200].slice(0, failing + 1);
        const made = expected.filter((at) => at < stopsAtMs || at === 0);
        // A try at the moment of the stop may be made or not.
        expect([made, expected.filter((at) => at <= stopsAtMs)]).toContainEqual(tries);
        expect(failures).toEqual(tries.slice(0, failing).map((_, index) => index + 1));
      },
    );
    await fc.assert(property);
  });
});

import { createSharedReads } from './shared-reads.cache.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Counts its readings. */
const counting = () => {
  let count = 0;
  return async (before: number | undefined) => {
    count += 1;
    return (before ?? 0) * 10 + count;
  };
};

it('is read once in the time, however many ask; then again, with what was there before', async () => {
  const reads = createSharedReads<number>({ everyMs: 1_000 });
  const read = counting();
  const get = () => reads.get('a', read);
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  expect(reads.freshForMs('a')).toBe(1_000);
  jest.advanceTimersByTime(999);
  expect([await get(), reads.freshForMs('a')]).toEqual([1, 1]);
  jest.advanceTimersByTime(1);
  expect(await Promise.all([get(), get()])).toEqual([12, 12]);
  expect(await reads.get('b', counting())).toBe(1);
});

it('reads one at a time, and counts the time from the answer on', async () => {
  const reads = createSharedReads<number>({ everyMs: 1_000 });
  const answer = Promise.withResolvers<number>();
  const first = reads.get('a', () => answer.promise);
  jest.advanceTimersByTime(5_000);
  const second = reads.get('a', counting());
  expect(reads.freshForMs('a')).toBe(0);
  answer.resolve(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  expect(reads.freshForMs('a')).toBe(1_000);
});

it('a failure is shared too, and is nothing to go on from', async () => {
  const reads = createSharedReads<number>({ everyMs: 1_000 });
  const away = () => Promise.reject(new Error('away'));
  await expect(reads.get('a', away)).rejects.toThrow('away');
  await expect(reads.get('a', counting())).rejects.toThrow('away');
  jest.advanceTimersByTime(1_000);
  expect(await reads.get('a', counting())).toBe(1);
});

it('what nobody has asked for lately is forgotten, also where nobody asks for anything else', async () => {
  const reads = createSharedReads<number>({ everyMs: 1_000 });
  await reads.get('a', counting());
  jest.advanceTimersByTime(2_000);
  expect(await reads.get('a', counting())).toBe(11);
  jest.advanceTimersByTime(3_000);
  expect(await reads.get('a', counting())).toBe(1);
});

it('shows nobody what is older than what they have seen; those who ask meanwhile share the next reading', async () => {
  const reads = createSharedReads<number>({ everyMs: 1_000 });
  const read = counting();
  const since = (notBeforeMs: number) => reads.get('a', read, { notBeforeMs });
  expect(await reads.get('a', read)).toBe(1);
  jest.advanceTimersByTime(10);
  const now = performance.now();
  expect(await Promise.all([since(now), since(now), reads.get('a', read)])).toEqual([12, 12, 12]);
  const answer = Promise.withResolvers<number>();
  const slow = reads.get('b', () => answer.promise);
  // It begins a moment after it is asked for.
  await Promise.resolve();
  await Promise.resolve();
  jest.advanceTimersByTime(10);
  const asked = [1, 2].map(() => reads.get('b', counting(), { notBeforeMs: performance.now() }));
  answer.resolve(7);
  expect(await slow).toBe(7);
  expect(await Promise.all(asked)).toEqual([71, 71]);
});

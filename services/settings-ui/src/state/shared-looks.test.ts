import { createSharedLooks } from './shared-looks.ts';

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

it('is read once in the time, however many look; then again, with what was there before', async () => {
  const looks = createSharedLooks<number>({ everyMs: 1_000 });
  const read = counting();
  const look = () => looks.look('a', read);
  expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
  expect(looks.freshForMs('a')).toBe(1_000);
  jest.advanceTimersByTime(999);
  expect([await look(), looks.freshForMs('a')]).toEqual([1, 1]);
  jest.advanceTimersByTime(1);
  expect(await Promise.all([look(), look()])).toEqual([12, 12]);
  expect(await looks.look('b', counting())).toBe(1);
});

it('reads one at a time, and counts the time from the answer on', async () => {
  const looks = createSharedLooks<number>({ everyMs: 1_000 });
  const answer = Promise.withResolvers<number>();
  const first = looks.look('a', () => answer.promise);
  jest.advanceTimersByTime(5_000);
  const second = looks.look('a', counting());
  expect(looks.freshForMs('a')).toBe(0);
  answer.resolve(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  expect(looks.freshForMs('a')).toBe(1_000);
});

it('a failure is shared too, and is nothing to go on from', async () => {
  const looks = createSharedLooks<number>({ everyMs: 1_000 });
  const away = () => Promise.reject(new Error('away'));
  await expect(looks.look('a', away)).rejects.toThrow('away');
  await expect(looks.look('a', counting())).rejects.toThrow('away');
  jest.advanceTimersByTime(1_000);
  expect(await looks.look('a', counting())).toBe(1);
});

it('what nobody has looked at for long is forgotten, also where nobody looks at anything else', async () => {
  const looks = createSharedLooks<number>({ everyMs: 1_000 });
  await looks.look('a', counting());
  jest.advanceTimersByTime(2_000);
  expect(await looks.look('a', counting())).toBe(11);
  jest.advanceTimersByTime(3_000);
  expect(await looks.look('a', counting())).toBe(1);
});

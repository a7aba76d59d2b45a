import fc from 'fast-check';
import { endsWithin, TimeOutError, within } from './time-out.ts';

describe('a time-out', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const failure = new Error('failed');
  const lasting = (ms: number, fails: boolean) =>
    new Promise<string>((resolve, reject) => {
      setTimeout(() => (fails ? reject(failure) : resolve('done')), ms);
    });

  it('gives what comes in time, or what is given for what comes late, at its time, and leaves no timer behind', async () => {
    const ms = fc.integer({ min: 0, max: 20 });
    const property = fc.asyncProperty(ms, ms, fc.boolean(), async (bound, lasts, fails) => {
      const late = jest.fn(() => 'late');
      const since = Date.now();
      const ended = within(bound, lasting(lasts, fails), late).then(
        (result) => [result, Date.now() - since],
        (error) => [error, Date.now() - since],
      );
      const ends = endsWithin(bound, lasting(lasts, fails));
      await jest.advanceTimersByTimeAsync(20);
      // What comes at the very end is read before it is late.
      const isInTime = lasts <= bound;
      expect(await ended).toEqual(isInTime ? [fails ? failure : 'done', lasts] : ['late', bound]);
      expect(await ends).toBe(isInTime);
      expect(late).toHaveBeenCalledTimes(isInTime ? 0 : 1);
      expect(jest.getTimerCount()).toBe(0);
    });
    await fc.assert(property);
  });

  it('fails by its own error, or by the one that is given', async () => {
    const never = new Promise<never>(() => {});
    const own = expect(within(5, never)).rejects.toEqual(new TimeOutError(5));
    const given = expect(
      within(5, never, () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    await jest.advanceTimersByTimeAsync(5);
    await Promise.all([own, given]);
  });
});

it('an answer that waits behind a busy event loop is in time', async () => {
  const answer = new Promise((resolve) => setTimeout(resolve, 2, 'arrived'));
  const ended = within(1, answer);
  const until = performance.now() + 20;
  while (performance.now() < until);
  expect(await ended).toBe('arrived');
});

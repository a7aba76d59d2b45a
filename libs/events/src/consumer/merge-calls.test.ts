import { setImmediate as nextTurn } from 'node:timers/promises';
import { mergeCalls } from './merge-calls.ts';

describe('merged calls', () => {
  const begin = (fails: (items: number[]) => boolean = () => false) => {
    const made: number[][] = [];
    const gate = Promise.withResolvers<void>();
    const call = mergeCalls<number>(async (items) => {
      made.push(items);
      await gate.promise;
      if (fails(items)) throw new Error(`failed: ${items.join()}`);
    }, 4);
    return { made, open: gate.resolve, call };
  };

  it('are one where they came together, or while another was at work', async () => {
    const { made, open, call } = begin();
    const calls = [call([1]), call([2])];
    await nextTurn();
    calls.push(call([3]), call([4]));
    open();
    await Promise.all(calls);
    expect(made).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('are no larger than the bound, unless a single one is', async () => {
    const { made, open, call } = begin();
    const calls = [call([1]), call([2, 3, 4]), call([5, 6]), call([7, 8, 9, 10, 11])];
    open();
    await Promise.all(calls);
    expect(made).toEqual([
      [1, 2, 3, 4],
      [5, 6],
      [7, 8, 9, 10, 11],
    ]);
  });

  it('fail alone', async () => {
    const { made, open, call } = begin((items) => items.includes(3));
    const calls = [call([1]), call([2]), call([3])];
    open();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(made).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('fail, and the next goes on, where the work throws at once', async () => {
    const call = mergeCalls<number>((items) => {
      if (items.includes(1)) throw new Error('at once');
      return Promise.resolve();
    }, 4);
    await expect(call([1])).rejects.toThrow('at once');
    await expect(call([2])).resolves.toBeUndefined();
  });
});

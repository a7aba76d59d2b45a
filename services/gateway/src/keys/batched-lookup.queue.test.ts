import { batchedLookup } from './batched-lookup.queue.ts';

it('what is asked while one look-up is under way goes together in the next', async () => {
  const asked: string[][] = [];
  const find = batchedLookup(async (keys) => {
    asked.push(keys);
    return new Map([['a', 1]]);
  });
  expect(await Promise.all([find('a'), find('b'), find('c'), find('b')])).toEqual([1, null, null, null]);
  expect(asked).toEqual([['a'], ['b', 'c']]);
});

it('a look-up that fails fails for those in it, and for nobody after', async () => {
  let isDown = true;
  const find = batchedLookup<number>(async () => {
    if (isDown) throw new Error('down');
    return new Map();
  });
  await expect(find('a')).rejects.toThrow('down');
  isDown = false;
  expect(await find('a')).toBeNull();
});

import { createHashingQueue } from './hashing-queue.ts';

const AT_ONCE = 2;
const MOST_WAITING = 50;

/** Until all that can begin has begun. */
const settled = () => new Promise(setImmediate);

/** A queue whose work ends when it is told to, and the names of what has begun. */
function startQueue() {
  const queue = createHashingQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (by: 'known' | 'stranger', name: string) =>
    queue.run(by, () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const addMany = (by: 'known' | 'stranger', count: number) =>
    Array.from({ length: count }, (_, place) => add(by, `${by} ${place}`));
  /** Ends what is at work, until there is nothing. */
  const finish = async (all: Promise<void>[]) => {
    await settled();
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await settled();
    }
    await Promise.all(all);
  };
  return { begun, add, addMany, finish };
}

describe('hashing', () => {
  it('does so many at once, in their order', async () => {
    const { begun, addMany, finish } = startQueue();
    const all = addMany('stranger', 5);
    await settled();
    expect(begun).toEqual(['stranger 0', 'stranger 1']);
    await finish(all);
    expect(begun).toEqual([0, 1, 2, 3, 4].map((place) => `stranger ${place}`));
  });

  it('refuses what is too much, with a time to come again; others go on', async () => {
    const { add, addMany, finish } = startQueue();
    const all = addMany('stranger', AT_ONCE + MOST_WAITING);
    await expect(add('stranger', 'one more')).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '1' },
    });
    await finish(all);
    await finish([add('stranger', 'later')]);
  });

  it('takes those who are known first, and keeps none of them out for strangers', async () => {
    const { begun, add, addMany, finish } = startQueue();
    const all = [...addMany('stranger', AT_ONCE + MOST_WAITING), add('known', 'owner')];
    await finish(all);
    expect(begun.indexOf('owner')).toBe(AT_ONCE);
  });

  it('goes on after work that fails', async () => {
    const queue = createHashingQueue();
    const failing = Array.from({ length: 5 }, () =>
      queue.run('known', () => Promise.reject(new Error('no'))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array(5).fill('rejected'),
    );
    await expect(queue.run('known', async () => 'done')).resolves.toBe('done');
  });
});

import { createHashingQueue } from './hashing.queue.ts';

const AT_ONCE = 2;
const MOST_WAITING = 50;
const MOST_WAITING_OF_TENANT = 5;
const STRANGER = null;
const TENANT = 1;

/** Until all that can begin has begun. */
const settled = () => new Promise(setImmediate);

/** A queue whose work ends on demand, and the names of what has begun. */
function startQueue() {
  const queue = createHashingQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (tenantId: number | null, name: string) =>
    queue.run(tenantId, () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const addMany = (tenantId: number | null, count: number) =>
    Array.from({ length: count }, (_, place) => add(tenantId, `${tenantId ?? 'stranger'} ${place}`));
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
    const all = addMany(STRANGER, 5);
    await settled();
    expect(begun).toEqual(['stranger 0', 'stranger 1']);
    await finish(all);
    expect(begun).toEqual([0, 1, 2, 3, 4].map((place) => `stranger ${place}`));
  });

  it('refuses what is too much, with a time to come again; others go on', async () => {
    const { add, addMany, finish } = startQueue();
    const all = addMany(STRANGER, AT_ONCE + MOST_WAITING);
    await expect(add(STRANGER, 'one more')).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '1' },
    });
    await finish(all);
    await finish([add(STRANGER, 'later')]);
  });

  it('keeps nobody who is known waiting for strangers', async () => {
    const { begun, add, addMany, finish } = startQueue();
    const all = [...addMany(STRANGER, AT_ONCE + MOST_WAITING), add(TENANT, 'owner')];
    await finish(all);
    expect(begun.indexOf('owner')).toBe(AT_ONCE);
  });

  it('lets strangers have every other turn, however many are known', async () => {
    const { begun, add, addMany, finish } = startQueue();
    const all = [1, 2, 3].flatMap((tenantId) => addMany(tenantId, MOST_WAITING_OF_TENANT));
    await finish([...all, add(STRANGER, 'new device')]);
    expect(begun.indexOf('new device')).toBe(AT_ONCE + 1);
  });

  it('refuses what is too much of one tenant; others are let in', async () => {
    const { begun, add, addMany, finish } = startQueue();
    const all = addMany(TENANT, AT_ONCE + MOST_WAITING_OF_TENANT);
    const refused = expect(add(TENANT, 'one more')).rejects.toMatchObject({ code: 'service_unavailable' });
    await finish([...all, add(TENANT + 1, 'neighbour'), add(STRANGER, 'new device')]);
    await refused;
    expect(begun).toEqual(expect.arrayContaining(['neighbour', 'new device']));
  });

  it('goes on after work that fails', async () => {
    const queue = createHashingQueue();
    const failing = Array.from({ length: 5 }, () => queue.run(TENANT, () => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array(5).fill('rejected'),
    );
    await expect(queue.run(TENANT, async () => 'done')).resolves.toBe('done');
  });
});

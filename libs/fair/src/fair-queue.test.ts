import fc from 'fast-check';
import { createFairQueue, type FairQueueOptions, NoPlaceError } from './fair-queue.ts';

const settled = () => new Promise(setImmediate);

describe('places', () => {
  it('depend on how many are free where that is asked for', () => {
    const queue = createFairQueue<string>({ places: 8, perHolder: (free) => free });
    const takenBy = (holder: string) =>
      Array.from({ length: 8 }, () => queue.take(holder)).filter(Boolean).length;
    expect(['greedy', 'another', 'third'].map(takenBy)).toEqual([4, 2, 1]);
  });

  it('that fall free one in the other are handed on without end', async () => {
    const queue = createFairQueue<string>({ places: 1 });
    let ended = 0;
    queue.take('a');
    for (let i = 0; i < 20_000; i += 1)
      queue.enter('a', () => {
        ended += 1;
        queue.giveBack('a');
      });
    queue.giveBack('a');
    expect(ended).toBe(0);
    await settled();
    expect([ended, queue.taken(), queue.waiting()]).toEqual([20_000, 0, 0]);
  });

  it('are not asked for where all that wait begin at once; they are missing until they are given back', () => {
    const queue = createFairQueue<string>({ places: 1 });
    const begun: string[] = [];
    for (const holder of ['a', 'a', 'b']) queue.enter(holder, () => begun.push(holder));
    queue.beginAll();
    expect([begun, queue.taken(), queue.waiting()]).toEqual([['a', 'a', 'b'], 3, 0]);
    for (const holder of begun) queue.giveBack(holder);
    expect([queue.take('c'), queue.take('c')]).toEqual([true, false]);
  });
});

describe('work', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const lasting = (ms: number) => () => new Promise<'done'>((resolve) => setTimeout(resolve, ms, 'done'));
  /** Nothing that was refused, left or failed keeps a place. */
  const expectEmpty = (queue: ReturnType<typeof createFairQueue<number>>) =>
    expect([queue.taken(), queue.waiting()]).toEqual([0, 0]);

  it('has so many places at most, waits within its bounds or is refused, and leaves nothing behind', async () => {
    const work = fc.record({
      holder: fc.integer({ min: 0, max: 3 }),
      atMs: fc.integer({ min: 0, max: 50 }),
      lastsMs: fc.integer({ min: 0, max: 30 }),
      leavesAtMs: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
      fails: fc.boolean(),
    });
    const setting = fc.record({
      places: fc.integer({ min: 1, max: 3 }),
      waiting: fc.integer({ min: 0, max: 4 }),
      waitMs: fc.integer({ min: 1, max: 40 }),
    });
    const property = fc.asyncProperty(setting, fc.array(work, { maxLength: 25 }), async (options, all) => {
      const queue = createFairQueue<number>(options);
      let atWork = 0;
      const ends = all.map(async ({ holder, atMs, lastsMs, leavesAtMs, fails }) => {
        await lasting(atMs)();
        const leaving = new AbortController();
        if (leavesAtMs !== undefined) setTimeout(() => leaving.abort(), leavesAtMs);
        const since = Date.now();
        let begunMs = -1;
        const outcome = await queue
          .run(
            holder,
            async () => {
              begunMs = Date.now() - since;
              atWork += 1;
              expect(atWork).toBeLessThanOrEqual(options.places);
              await lasting(lastsMs)();
              atWork -= 1;
              if (fails) throw new Error('failed');
              return 'done';
            },
            leaving.signal,
          )
          .catch((error) => error);
        const endedMs = Date.now() - since;
        if (begunMs >= 0) {
          expect(begunMs).toBeLessThanOrEqual(options.waitMs);
          expect(outcome).toEqual(fails ? new Error('failed') : 'done');
        } else if (outcome.reason === 'aborted') expect(endedMs).toBe(leavesAtMs);
        else if (outcome.reason === 'queue_full') expect(endedMs).toBe(0);
        else expect([outcome.reason, endedMs]).toEqual(['waited_too_long', options.waitMs]);
      });
      await jest.advanceTimersByTimeAsync(2_000);
      await Promise.all(ends);
      expectEmpty(queue);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  /** How so many pieces of work of one holder end where one of another holder waits too, or none. */
  const endsOf = async (options: FairQueueOptions<number>, count: number, other?: number) => {
    const queue = createFairQueue<number>({ places: 1, ...options });
    const holding = queue.run(0, lasting(100));
    if (other !== undefined) queue.enter(other, () => queue.giveBack(other));
    const since = Date.now();
    const ends = Array.from({ length: count }, () =>
      queue.run(1, lasting(0)).catch((error: NoPlaceError) => `${error.reason} ${Date.now() - since}`),
    );
    await jest.advanceTimersByTimeAsync(1_000);
    await holding;
    expectEmpty(queue);
    return Promise.all(ends);
  };

  it('of a holder that is alone may wait in greater number, and for longer', async () => {
    const waiting = { contended: 1, alone: 2 };
    const full = 'queue_full 0';
    expect(await endsOf({ waiting }, 3)).toEqual(['done', 'done', full]);
    expect(await endsOf({ waiting }, 3, 2)).toEqual(['done', full, full]);
    const waitMs = { contended: 10, alone: 50 };
    expect(await endsOf({ waitMs }, 1)).toEqual(['waited_too_long 50']);
    expect(await endsOf({ waitMs }, 1, 2)).toEqual(['waited_too_long 10']);
    expect(await endsOf({ waitMs: { contended: 10, alone: 200 } }, 1)).toEqual(['done']);
    expect(await endsOf({ waitMs: { contended: 50, alone: 10 } }, 1)).toEqual(['waited_too_long 10']);
  });

  it('of a privileged holder waits as if it were alone, and makes nobody else wait for less', async () => {
    const bounds = { waitMs: { contended: 10, alone: 50 }, waiting: { contended: 0, alone: 1 } };
    expect(await endsOf({ ...bounds, isPrivileged: (holder) => holder === 1 }, 1, 2)).toEqual([
      'waited_too_long 50',
    ]);
    expect(await endsOf({ ...bounds, isPrivileged: (holder) => holder === 2 }, 1, 2)).toEqual([
      'waited_too_long 50',
    ]);
  });

  it('hands its place on at once where it ends: others that end with it still hold theirs', async () => {
    const queue = createFairQueue<number>({ places: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun: number[] = [];
    const note = (holder: number) => queue.run(holder, async () => void begun.push(holder));
    const all = [queue.run(1, () => promise), queue.run(1, () => promise), note(1), note(2)];
    resolve();
    await Promise.all(all);
    expect(begun).toEqual([2, 1]);
    expectEmpty(queue);
  });

  it('is refused as its user says', async () => {
    const refusal = (reason: string) => new RangeError(`busy: ${reason}`);
    const queue = createFairQueue<number>({ perHolder: 1, waiting: 0, refusal });
    queue.take(1);
    await expect(queue.run(1, lasting(0))).rejects.toEqual(new RangeError('busy: queue_full'));
    expect(() => queue.enter(1, () => {})).toThrow(RangeError);
    expect(await Promise.all([queue.run(2, async () => 2), queue.run(3, async () => 3)])).toEqual([2, 3]);
    await expect(createFairQueue({ places: 0, waiting: 0 }).run(1, lasting(0))).rejects.toBeInstanceOf(
      NoPlaceError,
    );
  });

  it('does not begin once its signal has aborted, be it before, in the queue or at its turn', async () => {
    const queue = createFairQueue<number>({ places: 2 });
    const work = jest.fn();
    const aborted = new NoPlaceError('aborted');
    await expect(queue.run(1, work, AbortSignal.abort())).rejects.toEqual(aborted);
    const [waiting, atItsTurn] = [new AbortController(), new AbortController()];
    expect([queue.take(1), queue.take(1)]).toEqual([true, true]);
    const left = expect(queue.run(1, work, waiting.signal)).rejects.toEqual(aborted);
    waiting.abort();
    await left;
    const late = expect(queue.run(2, work, atItsTurn.signal)).rejects.toEqual(aborted);
    queue.enter(3, () => atItsTurn.abort());
    queue.giveBack(1);
    queue.giveBack(1);
    await late;
    expect(work).not.toHaveBeenCalled();
    queue.giveBack(3);
    expectEmpty(queue);
  });

  it('rests after it while its holder has more, and nobody has who doesn’t', async () => {
    const queue = createFairQueue<number>({ perHolder: 1, restMs: (tookMs) => tookMs / 2 });
    const begun = jest.fn(async () => {});
    const first = queue.run(1, lasting(40));
    const second = queue.run(1, begun);
    await jest.advanceTimersByTimeAsync(40);
    await first;
    await jest.advanceTimersByTimeAsync(19);
    expect(begun).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await second;
    const alone = queue.run(1, lasting(40));
    await jest.advanceTimersByTimeAsync(40);
    await alone;
    expectEmpty(queue);
  });
});

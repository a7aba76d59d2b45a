import { createLogger } from '@frontdesk/service';
import { createOffsetCommits } from './offset-commits.ts';

const INTERVAL_MS = 250;
const upTo = (partition: number, offset: string) => ({
  topic: 'customers',
  partition,
  offset,
  occurredAt: null,
});

describe('commits of offsets', () => {
  /** Each request with the means to answer it. */
  let requests: { offsets: string[]; resolve: () => void; reject: (error: Error) => void }[];
  let saved: string[][];
  let commits: ReturnType<typeof createOffsetCommits>;

  beforeEach(() => {
    jest.useFakeTimers();
    requests = [];
    const consumer = {
      commitOffsets(committed: { partition: number; offset: string }[] = []) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        requests.push({
          offsets: committed.map(({ partition, offset }) => `${partition}: ${offset}`),
          resolve,
          reject,
        });
        return promise;
      },
    };
    saved = [];
    commits = createOffsetCommits({
      consumer,
      save: async (positions) => void saved.push(positions.map(({ offset }) => offset)),
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const committed = () => requests.map(({ offsets }) => offsets);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const isOver = async (work: Promise<void>) => {
    let isDone = false;
    void work.then(() => {
      isDone = true;
    });
    await pass(0);
    return isDone;
  };

  it('go out together, with the newest offset of each partition', async () => {
    commits.applied(upTo(0, '1'));
    commits.applied(upTo(1, '5'));
    commits.applied(upTo(0, '2'));
    expect(committed()).toEqual([]);
    await pass(INTERVAL_MS);
    expect(committed()).toEqual([['0: 2', '1: 5']]);
    await pass(10 * INTERVAL_MS);
    expect(requests).toHaveLength(1);
    expect(saved).toEqual([['2', '5']]);
  });

  it('wait for the one under way, so that no older offset comes after a newer one', async () => {
    commits.applied(upTo(0, '1'));
    await pass(INTERVAL_MS);
    commits.applied(upTo(0, '2'));
    await pass(2 * INTERVAL_MS);
    commits.applied(upTo(0, '3'));
    const flushed = commits.flush();
    expect(await isOver(flushed)).toBe(false);
    expect(committed()).toEqual([['0: 1']]);
    requests[0]?.resolve();
    await pass(0);
    expect(committed()).toEqual([['0: 1'], ['0: 3']]);
    expect(await isOver(flushed)).toBe(false);
    requests[1]?.resolve();
    expect(await isOver(flushed)).toBe(true);
  });

  it('that fail keep no later one from going out', async () => {
    commits.applied(upTo(0, '1'));
    await pass(INTERVAL_MS);
    requests[0]?.reject(new Error('rebalancing'));
    commits.applied(upTo(0, '2'));
    await pass(INTERVAL_MS);
    expect(committed()).toEqual([['0: 1'], ['0: 2']]);
  });

  it('leave out what is forgotten, also where it waited for the one under way', async () => {
    commits.applied(upTo(0, '1'));
    await pass(INTERVAL_MS);
    commits.applied(upTo(0, '2'));
    await pass(INTERVAL_MS);
    commits.forget();
    requests[0]?.resolve();
    await pass(INTERVAL_MS);
    expect(committed()).toEqual([['0: 1']]);
    commits.applied(upTo(1, '7'));
    await pass(INTERVAL_MS);
    expect(committed()).toEqual([['0: 1'], ['1: 7']]);
  });
});

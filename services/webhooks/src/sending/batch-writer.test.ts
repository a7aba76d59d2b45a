import { createLogger } from '@frontdesk/service';
import { createBatchWriter } from './batch-writer.ts';

const GATHER_MS = 10;
const A_RETRY_MS = 1_000;
const logger = createLogger({ name: 'test', level: 'silent' });
const badData = Object.assign(new Error('out of range'), { code: '22003' });
const awayFor = new Error('gone away');

describe('a batch writer', () => {
  let write: jest.Mock<Promise<void>, [readonly number[]]>;
  let refused: number[];
  let writer: ReturnType<typeof createBatchWriter<number>>;

  beforeEach(async () => {
    jest.useFakeTimers();
    write = jest.fn(async (_items: readonly number[]) => {});
    refused = [];
    writer = createBatchWriter<number>({
      name: 'numbers',
      maxItems: 4,
      gatherMs: GATHER_MS,
      write,
      logger,
      onRefused: (item) => void refused.push(item),
    });
    await writer.start();
  });
  afterEach(async () => {
    await writer.stop();
    jest.useRealTimers();
  });
  const batches = () => write.mock.calls.map(([items]) => items);
  const after = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('writes what comes within some moments together, and a full batch at once', async () => {
    writer.add([1]);
    await after(GATHER_MS - 1);
    writer.add([2]);
    expect(batches()).toEqual([]);
    await after(1);
    expect(batches()).toEqual([[1, 2]]);
    writer.add([3, 4, 5, 6, 7]);
    await after(0);
    expect(batches()).toEqual([[1, 2], [3, 4, 5, 6], [7]]);
  });

  it('writes nothing where there is nothing', async () => {
    writer.add([]);
    await after(10 * A_RETRY_MS);
    expect(batches()).toEqual([]);
  });

  it('tries a batch again until it is written, with what has come meanwhile, in its order', async () => {
    write.mockRejectedValueOnce(awayFor).mockRejectedValueOnce(awayFor);
    writer.add([1, 2]);
    await after(GATHER_MS);
    writer.add([3]);
    await after(A_RETRY_MS);
    expect(batches()).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(refused).toEqual([]);
  });

  it('keeps no more of what waits than its merged items, however long it can’t be written', async () => {
    await writer.stop();
    writer = createBatchWriter<number>({
      name: 'sums',
      maxItems: 4,
      gatherMs: GATHER_MS,
      write,
      logger,
      onRefused: () => {},
      merge: (numbers) => (numbers.length === 0 ? [] : [numbers.reduce((sum, number) => sum + number)]),
    });
    await writer.start();
    write.mockRejectedValue(awayFor);
    const tried: unknown[] = [];
    for (const numbers of [
      [1, 2],
      [3, 4],
      [5, 6],
    ]) {
      writer.add(numbers);
      await after(A_RETRY_MS);
      tried.push(batches().at(-1));
    }
    expect(tried).toEqual([[3], [10], [21]]);
  });

  it('takes any number at once', async () => {
    const many = Array.from({ length: 500_000 }, (_, number) => number);
    await writer.stop();
    writer = createBatchWriter<number>({
      name: 'many',
      maxItems: many.length,
      gatherMs: GATHER_MS,
      write,
      logger,
      onRefused: () => {},
    });
    await writer.start();
    writer.add(many);
    await after(0);
    expect(batches().map(({ length }) => length)).toEqual([many.length]);
  });

  it('leaves out the one item that the database refuses for good, and writes each of the others once', async () => {
    const written: number[] = [];
    write.mockImplementation(async (items) => {
      if (items.includes(3)) throw badData;
      written.push(...items);
    });
    writer.add([1, 2, 3, 4, 5, 6]);
    await after(A_RETRY_MS);
    expect(written).toEqual([1, 2, 4, 5, 6]);
    expect(refused).toEqual([3]);
  });

  it('writes what is left at a stop, and gives up what the database does not take then', async () => {
    writer.add([1, 2, 3, 4, 5]);
    await writer.stop();
    expect(batches().flat()).toEqual([1, 2, 3, 4, 5]);
    write.mockRejectedValue(awayFor);
    writer.add([6]);
    await writer.stop();
    expect(batches().at(-1)).toEqual([6]);
  });
});

import { createLogger } from './logging.ts';
import { loop } from './loop.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const HOUR_MS = 3_600_000;

describe('a loop', () => {
  it('goes on at once while there is more, then waits until it is woken', async () => {
    const turns: number[] = [];
    let onIdle = Promise.withResolvers<void>();
    const worker = loop({
      name: 'test',
      intervalMs: HOUR_MS,
      logger,
      run: async () => {
        turns.push(turns.length);
        const hasMore = turns.length < 3;
        if (!hasMore) onIdle.resolve();
        return hasMore;
      },
    });
    await worker.start();
    await onIdle.promise;
    expect(turns).toEqual([0, 1, 2]);

    onIdle = Promise.withResolvers();
    worker.wake();
    await onIdle.promise;
    expect(turns).toEqual([0, 1, 2, 3]);
    await worker.stop();
  });

  it('runs once more when woken during a turn, so that no wake is lost', async () => {
    const second = Promise.withResolvers<void>();
    let turns = 0;
    const worker = loop({
      name: 'test',
      intervalMs: HOUR_MS,
      logger,
      run: async () => {
        turns += 1;
        if (turns === 1) worker.wake();
        else second.resolve();
        return false;
      },
    });
    await worker.start();
    await second.promise;
    await worker.stop();
    expect(turns).toBe(2);
  });

  it('tries again after a turn that failed', async () => {
    const healed = Promise.withResolvers<void>();
    let turns = 0;
    const worker = loop({
      name: 'test',
      intervalMs: HOUR_MS,
      logger,
      run: async () => {
        turns += 1;
        if (turns < 3) throw new Error('passing fault');
        healed.resolve();
        return false;
      },
    });
    await worker.start();
    await healed.promise;
    await worker.stop();
    expect(turns).toBe(3);
  });

  it('stops after the turn that is under way', async () => {
    const entered = Promise.withResolvers<void>();
    let isFinished = false;
    const worker = loop({
      name: 'test',
      intervalMs: HOUR_MS,
      logger,
      run: async (signal) => {
        entered.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isFinished = true;
        return true;
      },
    });
    await worker.start();
    await entered.promise;
    await worker.stop();
    expect(isFinished).toBe(true);
  });
});

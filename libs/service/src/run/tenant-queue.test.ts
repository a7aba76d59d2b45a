import { inTenantQueue } from './tenant-queue.ts';

const { signal } = new AbortController();

describe('work in turns', () => {
  it('runs one after the other for a tenant, in the order in which it came', async () => {
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise(setImmediate);
      log.push(`${name} ends`);
    };
    await Promise.all([inTenantQueue(1, signal, work('first')), inTenantQueue(1, signal, work('second'))]);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('waits for no other tenant', async () => {
    const { promise: theirs, resolve } = Promise.withResolvers<void>();
    const other = inTenantQueue(1, signal, () => theirs);
    expect(await inTenantQueue(2, signal, async () => 'done')).toBe('done');
    resolve();
    await other;
  });

  it('goes on after work that has failed', async () => {
    const failing = inTenantQueue(1, signal, () => Promise.reject(new Error('failed')));
    const next = inTenantQueue(1, signal, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('is left out once nobody waits for it', async () => {
    const gone = new AbortController();
    const { promise: first, resolve } = Promise.withResolvers<void>();
    const before = inTenantQueue(1, signal, () => first);
    const work = jest.fn();
    const left = inTenantQueue(1, gone.signal, work);
    gone.abort();
    resolve();
    await expect(left).rejects.toMatchObject({ code: 'request_timeout' });
    expect(work).not.toHaveBeenCalled();
    await before;
  });

  it('comes only after a rest where it waited for a long turn', async () => {
    jest.useFakeTimers();
    try {
      const first = inTenantQueue(1, signal, async () => jest.advanceTimersByTime(50));
      const work = jest.fn(async () => {});
      const next = inTenantQueue(1, signal, work);
      await first;
      await jest.advanceTimersByTimeAsync(49);
      expect(work).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      await next;
      await inTenantQueue(1, signal, async () => jest.advanceTimersByTime(50));
      expect(await inTenantQueue(1, signal, async () => 'at once')).toBe('at once');
    } finally {
      jest.useRealTimers();
    }
  });
});

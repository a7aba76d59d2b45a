import type { FeedPosition } from '@frontdesk/contracts';

/** A request that waits for an event of its tenant. */
export interface FeedWait {
  tenantId: number;
  after: FeedPosition;
}

/** Requests that wait, at most one for each API key: a client that has lost its connection doesn't wait twice. */
export function createFeedWaits() {
  const waits = new Map<number, { wait: FeedWait; end: (hasNews: boolean) => void }>();

  return {
    /** True when something may have come. False when `signal` has aborted, another request of the key waits, or all have been ended. */
    async add(keyId: number, wait: FeedWait, signal: AbortSignal): Promise<boolean> {
      waits.get(keyId)?.end(false);
      const { promise, resolve: end } = Promise.withResolvers<boolean>();
      const own = { wait, end };
      waits.set(keyId, own);
      const stop = () => end(false);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const hasNews = await promise;
      signal.removeEventListener('abort', stop);
      if (waits.get(keyId) === own) waits.delete(keyId);
      return hasNews;
    },
    all: (): FeedWait[] => [...waits.values()].map(({ wait }) => wait),
    /** Something has come for these tenants. */
    wake(tenantIds: readonly number[]): void {
      for (const { wait, end } of waits.values()) if (tenantIds.includes(wait.tenantId)) end(true);
    },
    endAll(): void {
      for (const { end } of waits.values()) end(false);
    },
  };
}

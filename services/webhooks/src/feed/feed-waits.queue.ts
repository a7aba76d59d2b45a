import type { FeedPosition } from './feed.rules.ts';

/** A request that waits for an event of its tenant. */
export interface FeedWait {
  tenantId: number;
  after: FeedPosition;
  /** The key that it came with, and what it selects. */
  reader: string;
  /** Grows from one request to the next. */
  requestNumber: number;
}

/**
 * Requests that wait, one for each reader: a client that has lost its connection doesn't wait twice. The latest request stays, whichever
 * begins to wait first.
 */
export function createFeedWaits() {
  const waits = new Map<string, { wait: FeedWait; end: (hasNews: boolean) => void }>();
  let lastRequestNumber = 0;
  let isOver = false;

  return {
    nextRequestNumber: () => ++lastRequestNumber,
    /** True when something may have come. False when `signal` has aborted, a later request of the reader waits, or all have been ended. */
    async add(wait: FeedWait, signal: AbortSignal): Promise<boolean> {
      const other = waits.get(wait.reader);
      if (isOver || signal.aborted || (other && other.wait.requestNumber > wait.requestNumber)) return false;
      other?.end(false);
      const { promise, resolve: end } = Promise.withResolvers<boolean>();
      const own = { wait, end };
      waits.set(wait.reader, own);
      const stop = () => end(false);
      signal.addEventListener('abort', stop);
      const hasNews = await promise;
      signal.removeEventListener('abort', stop);
      if (waits.get(wait.reader) === own) waits.delete(wait.reader);
      return hasNews;
    },
    all: (): FeedWait[] => [...waits.values()].map(({ wait }) => wait),
    /** What these wait for has come. */
    wake(woken: ReadonlySet<FeedWait>): void {
      for (const { wait, end } of waits.values()) if (woken.has(wait)) end(true);
    },
    /** Ends all waits, and those to come. */
    close(): void {
      isOver = true;
      for (const { end } of waits.values()) end(false);
    },
  };
}

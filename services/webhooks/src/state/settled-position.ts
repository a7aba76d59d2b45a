import type { FeedPosition } from '@frontdesk/contracts';

interface Transactions {
  oldest: number;
  next: number;
  day: number;
}

/** A place, once the transactions that were open there are over. */
interface Mark {
  number: number;
  /** The number that the next transaction would have got. */
  next: number;
}

/**
 * How far no commit can overtake a reader. An event is given its number before its transaction ends, so one with a lower number may
 * appear later. Behind a mark that can't happen any more once all transactions that were open at the mark are over: a later one
 * gives higher numbers.
 */
export function createSettledPosition() {
  let settled: FeedPosition | null = null;
  let mark: Mark | null = null;

  return {
    /** What has just been read: first the highest number that was given, then the open transactions. */
    look(number: number, { oldest, next, day }: Transactions): void {
      const settle = (at: number) => {
        settled = { day, number: Math.max(at, settled?.number ?? 0) };
      };
      if (mark && oldest >= mark.next) {
        settle(mark.number);
        mark = null;
      }
      if (oldest >= next) settle(number);
      else mark ??= { number, next };
    },
    /** Null until the first mark has settled. */
    position: () => settled,
  };
}

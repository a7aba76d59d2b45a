import type { FeedPosition } from './feed.rules.ts';

interface Transactions {
  /** Lower ones are over. */
  oldest: number;
  /** That of the look itself: whatever had begun to write before it is lower. */
  own: number;
  day: number;
}

/** A place, settled once all transactions below `own` are over. */
interface Mark extends FeedPosition {
  own: number;
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
    /** What has just been read: first the highest number that was given, then the transactions. */
    look(number: number, { oldest, own, day }: Transactions): void {
      const settle = (at: FeedPosition) => {
        if (!settled || at.number >= settled.number) settled = { day: at.day, number: at.number };
      };
      if (mark && oldest >= mark.own) {
        settle(mark);
        mark = null;
      }
      if (oldest >= own) settle({ day, number });
      else mark ??= { day, number, own };
    },
    /** Null until the first mark has settled. */
    position: () => settled,
  };
}

import { createFairQueue } from '@frontdesk/fair';

/**
 * Calls to one address: as many at once as it has connections, the others wait, in the order in which they came. An
 * HTTP client's own queue would keep those that are given up, with their bodies, until they could be sent.
 */
export interface CallQueue {
  /** Has the call started when there is a connection, which may be at once. */
  enter(start: () => void): void;
  /** Starts all that wait now, whatever connections there are: each finds the address unusable and goes to another. */
  startAll(): void;
  /** Takes it out; false where it doesn't wait, because it has started. */
  leave(start: () => void): boolean;
  /** The answer to a call that was started begins. */
  answered(): void;
  /** A call that was started has ended: the next one starts. */
  ended(how: { isAnswered: boolean }): void;
  /** Calls that wait and that are under way. */
  size(): number;
  /** For how long answers have been waited for and none has begun. */
  silentMs(): number;
}

/** Which holder's call goes next is decided before: here all are alike. */
const CALL = 'call';

export function createCallQueue(options: { places: number; now?: () => number }): CallQueue {
  const { places, now = Date.now } = options;
  let unanswered = 0;
  let silentSinceMs = 0;
  const queue = createFairQueue<typeof CALL>({
    places,
    onTake() {
      unanswered += 1;
      if (unanswered === 1) silentSinceMs = now();
    },
  });

  return {
    enter: (start) => queue.enter(CALL, start),
    startAll: queue.beginAll,
    leave: (start) => queue.leave(CALL, start),
    answered() {
      unanswered -= 1;
      silentSinceMs = now();
    },
    ended({ isAnswered }) {
      if (!isAnswered) unanswered -= 1;
      queue.giveBack(CALL);
    },
    size: () => queue.taken() + queue.waiting(),
    silentMs: () => (unanswered === 0 ? 0 : now() - silentSinceMs),
  };
}

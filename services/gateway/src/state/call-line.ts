/**
 * Calls to one address: as many at once as it has connections, the others in line, in the order in which they came. An
 * HTTP client's own queue would keep those that are given up, with their bodies, until their turn comes.
 */
export interface CallLine {
  /** Has the call started when it is its turn, which may be at once. */
  enter(start: () => void): void;
  /** Takes it out of the line; false where it isn't there, because it has started. */
  leave(start: () => void): boolean;
  /** The answer to a call that was started begins. */
  answered(): void;
  /** A call that was started has ended: the next one's turn. */
  ended(how: { isAnswered: boolean }): void;
  /** Calls in line and under way. */
  size(): number;
  /** For how long answers have been waited for and none has begun. */
  silentMs(): number;
}

export function createCallLine(options: { places: number; now?: () => number }): CallLine {
  const { places, now = Date.now } = options;
  const inLine = new Set<() => void>();
  let started = 0;
  let unanswered = 0;
  let silentSinceMs = 0;

  const startNext = () => {
    for (const start of inLine) {
      if (started === places) return;
      inLine.delete(start);
      started += 1;
      unanswered += 1;
      if (unanswered === 1) silentSinceMs = now();
      start();
    }
  };

  return {
    enter(start) {
      inLine.add(start);
      startNext();
    },
    leave: (start) => inLine.delete(start),
    answered() {
      unanswered -= 1;
      silentSinceMs = now();
    },
    ended({ isAnswered }) {
      started -= 1;
      if (!isAnswered) unanswered -= 1;
      // Not from within the end of another: a whole line of calls that fail at once would nest too deep.
      if (inLine.size > 0) queueMicrotask(startNext);
    },
    size: () => started + inLine.size,
    silentMs: () => (unanswered === 0 ? 0 : now() - silentSinceMs),
  };
}

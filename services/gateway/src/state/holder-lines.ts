import { type CallLine, createCallLine } from './call-line.ts';

/** Requests of one holder under way at the backends at once; its others wait in line. */
const PLACES = 32;

/** Whom a call is for: a tenant, or a source of calls. */
export type Holder = number | string;

/**
 * A line of calls for each holder, with so many under way at once: a holder that asks for a lot, or reads answers slowly, leaves the
 * backends' connections to others.
 */
export interface HolderLines {
  /** Has the call started when it is its turn, which may be at once. */
  enter(holder: Holder, start: () => void): void;
  /** Takes it out of the line; false where it has started. */
  leave(holder: Holder, start: () => void): boolean;
  /** A call that was started has ended: the next one's turn. */
  ended(holder: Holder): void;
}

export function createHolderLines({ places = PLACES }: { places?: number } = {}): HolderLines {
  const lines = new Map<Holder, CallLine>();
  const removeEmpty = (holder: Holder) => {
    if (lines.get(holder)?.size() === 0) lines.delete(holder);
  };
  return {
    enter(holder, start) {
      const line = lines.get(holder) ?? createCallLine({ places });
      lines.set(holder, line);
      line.enter(start);
    },
    leave(holder, start) {
      const wasWaiting = lines.get(holder)?.leave(start) ?? false;
      removeEmpty(holder);
      return wasWaiting;
    },
    ended(holder) {
      lines.get(holder)?.ended({ isAnswered: false });
      removeEmpty(holder);
    },
  };
}

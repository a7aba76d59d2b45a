import type { Metrics } from '@frontdesk/service';
import { Gauge } from 'prom-client';
import { createMemoryBudget } from '../domain/memory-budget.ts';

const MEBIBYTE = 1024 * 1024;
const MEMORY = { totalBytes: 64 * MEBIBYTE, holderBytes: 16 * MEBIBYTE };
/** Once a holder's memory is used up, so many of its answers wait in their connections to backends, of 128 each. */
const MAX_WAITING = 8;

/** What one answer takes of the room, from when its client doesn't keep up with it. */
export interface AnswerPlace {
  /** Where so many more bytes go: they are held here, or the backend has to wait with the rest, or nobody does. */
  take(bytes: number): 'held' | 'waits' | 'refused';
  /** The client has caught up, or gone: gives everything back; it may be said twice. */
  clear(): void;
}

export interface AnswerRoom {
  /** @param onEvicted what it held was taken away for somebody who holds less */
  open(holder: number | string, onEvicted: () => void): AnswerPlace;
}

/**
 * Room for answers that clients take more slowly than backends give them: memory at first, so that connections to backends are
 * free for others, however many clients of one tenant read nothing.
 */
export function createAnswerRoom({ registry }: Metrics): AnswerRoom {
  const budget = createMemoryBudget(MEMORY);
  const waitingOf = new Map<number | string, number>();
  new Gauge({
    name: 'gateway_unread_answer_bytes',
    help: 'Memory that answers hold whose clients don’t keep up with them.',
    registers: [registry],
    collect() {
      this.set(budget.held());
    },
  });
  const changeWaiting = (holder: number | string, by: 1 | -1) => {
    const waiting = (waitingOf.get(holder) ?? 0) + by;
    if (waiting === 0) waitingOf.delete(holder);
    else waitingOf.set(holder, waiting);
  };
  return {
    open(holder, onEvicted) {
      const share = budget.open(holder);
      share.onEvicted = onEvicted;
      let isWaiting = false;
      return {
        take(bytes) {
          if (share.hold(bytes)) return 'held';
          if (isWaiting) return 'waits';
          if ((waitingOf.get(holder) ?? 0) >= MAX_WAITING) return 'refused';
          isWaiting = true;
          changeWaiting(holder, 1);
          return 'waits';
        },
        clear() {
          share.release();
          if (isWaiting) changeWaiting(holder, -1);
          isWaiting = false;
        },
      };
    },
  };
}

/** Prefetched deliveries wait for a place so long; what has not been sent by then goes back to the queue. */
export const MAX_WAIT_MS = 1_000;
/** For how long who has kept deliveries waiting for that long gets no more than its places where it is slow, and is lent less in any case. */
const SLOW_FOR_MS = 5_000;

/**
 * Who keeps deliveries waiting because attempts take long: in the last second or two fewer of them have ended than there are
 * places. Others that kept some waiting had just been given too many.
 */
export interface SlowReceivers {
  ended(id: number): void;
  keptWaiting(id: number): void;
  /** To be called several times a second. */
  tick(): void;
  has(id: number): boolean;
  /** Whether it has kept some waiting in the last five seconds, slow or not. */
  hasKeptWaiting(id: number): boolean;
  all(): number[];
}

/** @param places of each endpoint, or of each tenant: whosever ids these are @param now in milliseconds, never set back */
export function createSlowReceivers(
  places: number,
  now: () => number = () => performance.now(),
): SlowReceivers {
  const slowUntil = new Map<number, number>();
  const waitingUntil = new Map<number, number>();
  let [before, recent] = [new Map<number, number>(), new Map<number, number>()];
  let recentSince = now();
  const isIn = (ends: Map<number, number>, id: number) => {
    const end = ends.get(id);
    if (end === undefined || end > now()) return end !== undefined;
    ends.delete(id);
    return false;
  };
  const has = (id: number) => isIn(slowUntil, id);
  return {
    ended(id) {
      recent.set(id, (recent.get(id) ?? 0) + 1);
    },
    keptWaiting(id) {
      const count = (before.get(id) ?? 0) + (recent.get(id) ?? 0);
      waitingUntil.set(id, now() + SLOW_FOR_MS);
      if (count < places) slowUntil.set(id, now() + SLOW_FOR_MS);
    },
    tick() {
      if (now() - recentSince < MAX_WAIT_MS) return;
      [before, recent, recentSince] = [recent, new Map(), now()];
      for (const id of waitingUntil.keys()) isIn(waitingUntil, id);
    },
    has,
    hasKeptWaiting: (id) => isIn(waitingUntil, id),
    all: () => [...slowUntil.keys()].filter(has),
  };
}

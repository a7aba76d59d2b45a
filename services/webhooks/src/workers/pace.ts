/** Claims wait in hand so long; what has not been sent by then goes back to the queue. */
export const MAX_WAIT_MS = 1_000;
/** For how long who has kept claims waiting for that long gets no more than its places. */
const STALLED_MS = 5_000;

/**
 * Who keeps claims waiting because attempts take long: in the last second or two fewer of them have ended than there are
 * places. Others that kept some waiting had just been given too many.
 */
export interface Pace {
  ended(id: number): void;
  keptWaiting(id: number): void;
  /** To be called several times a second. */
  tick(): void;
  hasStalled(id: number): boolean;
  stalled(): number[];
}

/** @param places of each endpoint, or of each tenant: whosever pace it is */
export function createPace(places: number): Pace {
  const stalledUntil = new Map<number, number>();
  let [before, recent] = [new Map<number, number>(), new Map<number, number>()];
  let recentSince = performance.now();
  const hasStalled = (id: number) => {
    const end = stalledUntil.get(id);
    if (end === undefined || end > performance.now()) return end !== undefined;
    stalledUntil.delete(id);
    return false;
  };
  return {
    ended(id) {
      recent.set(id, (recent.get(id) ?? 0) + 1);
    },
    keptWaiting(id) {
      const count = (before.get(id) ?? 0) + (recent.get(id) ?? 0);
      if (count < places) stalledUntil.set(id, performance.now() + STALLED_MS);
    },
    tick() {
      if (performance.now() - recentSince < MAX_WAIT_MS) return;
      [before, recent, recentSince] = [recent, new Map(), performance.now()];
    },
    hasStalled,
    stalled: () => [...stalledUntil.keys()].filter(hasStalled),
  };
}

const MESSAGES = {
  queue_full: 'Too many wait for a place.',
  waited_too_long: 'No place came free in time.',
  aborted: 'The place is no longer wanted.',
};

/** Why it waits no longer: as many wait as may, it took too long, or its signal has aborted. */
export type NoPlaceReason = keyof typeof MESSAGES;

export class NoPlaceError extends Error {
  readonly reason: NoPlaceReason;
  constructor(reason: NoPlaceReason) {
    super(MESSAGES[reason]);
    this.name = 'NoPlaceError';
    this.reason = reason;
  }
}

/** One bound, or two: while another holder waits too, and while none does. */
type Bound = number | { contended: number; alone: number };

export interface FairQueueOptions<Holder> {
  /** Places in all. Any number by default. */
  places?: number;
  /** Most places of one holder, which may depend on how many are free. Any number by default. */
  perHolder?: number | ((free: number, holder: Holder) => number);
  /** How many of one holder may wait. Any number by default; 0: nobody waits. */
  waiting?: Bound;
  /** Longest wait of `run`, in milliseconds. For ever by default. */
  waitMs?: Bound;
  /** For how long a place stays taken after work of `run` that took so many milliseconds, while its holder waits for more. */
  restMs?: (tookMs: number) => number;
  /** Such a holder counts as holding no place, and as waiting beside nobody. */
  isPrivileged?: (holder: Holder) => boolean;
  /** What `run` rejects with, and `enter` throws. A NoPlaceError by default. */
  refusal?: (reason: NoPlaceReason) => Error;
  /** Called as a place is taken, before what takes it begins. */
  onTake?: () => void;
  /** Called as a wait of `run` begins; what it returns is called as the wait ends, for whatever reason. */
  onWait?: () => (() => void) | undefined;
}

export interface FairQueue<Holder> {
  /** Takes a place if there is one now. It has to be given back. */
  take(holder: Holder): boolean;
  /**
   * Takes a place as soon as there is one, and calls `begin` then, which may be before this returns. It has to be given back.
   * @throws NoPlaceError or the given refusal where too many wait already
   */
  enter(holder: Holder, begin: () => void): void;
  /** Waits no longer. False where it doesn't wait, because it has begun. */
  leave(holder: Holder, begin: () => void): boolean;
  giveBack(holder: Holder): void;
  /**
   * Does the work in a place.
   * @param signal keeps work from beginning once it has aborted; work that has begun goes on
   * @throws NoPlaceError or the given refusal; whatever the work throws
   */
  run<Result>(holder: Holder, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Begins all that wait, beyond the places: for work that finds something closed, and gives its place back. */
  beginAll(): void;
  /** Places of this holder. */
  heldBy(holder: Holder): number;
  /** Places that are taken. */
  taken(): number;
  /** How many wait. */
  waiting(): number;
}

const bothOf = (bound: Bound = Number.POSITIVE_INFINITY) =>
  typeof bound === 'number' ? { contended: bound, alone: bound } : bound;

/**
 * Shares places among holders, such as tenants. A place that comes free goes to the waiting holder that has the fewest; equals take
 * turns; what one holder waits for begins in the order in which it came. So one holder alone may have all places, and at most half
 * while another one waits.
 */
export function createFairQueue<Holder>(options: FairQueueOptions<Holder> = {}): FairQueue<Holder> {
  const { places = Number.POSITIVE_INFINITY, perHolder = Number.POSITIVE_INFINITY, restMs } = options;
  const { isPrivileged = () => false, refusal = (reason) => new NoPlaceError(reason) } = options;
  const [mostWaiting, waitMs] = [bothOf(options.waiting), bothOf(options.waitMs)];
  const held = new Map<Holder, number>();
  /** What waits, by holder, in the order of turns. None is empty. */
  const queues = new Map<Holder, Set<() => void>>();
  let taken = 0;
  let waiting = 0;
  /** Something was given back: only since then may any that wait begin. */
  let isServeDue = false;

  const heldBy = (holder: Holder) => held.get(holder) ?? 0;
  const mayTake = (holder: Holder) => {
    const free = places - taken;
    if (free <= 0) return false;
    return heldBy(holder) < (typeof perHolder === 'number' ? perHolder : perHolder(free, holder));
  };
  const takeNow = (holder: Holder) => {
    taken += 1;
    held.set(holder, heldBy(holder) + 1);
    options.onTake?.();
  };
  const next = () => {
    let found: [Holder, Set<() => void>] | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    if (taken >= places) return found;
    for (const entry of queues) {
      const [holder] = entry;
      const has = isPrivileged(holder) ? 0 : heldBy(holder);
      if (has >= fewest || !mayTake(holder)) continue;
      found = entry;
      fewest = has;
    }
    return found;
  };
  const serve = () => {
    isServeDue = false;
    for (let served = next(); served; served = next()) {
      const [holder, queue] = served;
      const [begin] = queue;
      if (!begin) return;
      queue.delete(begin);
      waiting -= 1;
      // Its next turn comes after the others'.
      queues.delete(holder);
      if (queue.size > 0) queues.set(holder, queue);
      takeNow(holder);
      begin();
    }
  };
  const serveIfDue = () => {
    if (isServeDue) serve();
  };
  const take = (holder: Holder) => {
    // What waits comes first.
    serveIfDue();
    if (!mayTake(holder)) return false;
    takeNow(holder);
    return true;
  };
  const release = (holder: Holder) => {
    taken -= 1;
    const left = heldBy(holder) - 1;
    if (left > 0) held.set(holder, left);
    else held.delete(holder);
  };
  const giveBack = (holder: Holder) => {
    release(holder);
    if (queues.size === 0 || isServeDue) return;
    isServeDue = true;
    // Not from within the end of other work: it may hold more that the next one needs.
    void READY.then(serveIfDue);
  };
  const endRun = (holder: Holder) => {
    release(holder);
    if (queues.size > 0) serve();
  };
  const leave = (holder: Holder, begin: () => void) => {
    const queue = queues.get(holder);
    if (!queue?.delete(begin)) return false;
    waiting -= 1;
    if (queue.size === 0) queues.delete(holder);
    return true;
  };
  /** Whether another holder waits too. */
  const isContended = (holder: Holder) =>
    !isPrivileged(holder) && queues.keys().some((other) => other !== holder && !isPrivileged(other));
  const startWaiting = (holder: Holder, begin: () => void) => {
    const queue = queues.get(holder) ?? new Set();
    const most = isContended(holder) ? mostWaiting.contended : mostWaiting.alone;
    if (queue.size >= most) throw refusal('queue_full');
    queues.set(holder, queue.add(begin));
    waiting += 1;
  };
  const placeFor = (holder: Holder, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    startWaiting(holder, begin);
    const giveUp = () => {
      if (leave(holder, begin)) reject(refusal(signal?.aborted ? 'aborted' : 'waited_too_long'));
    };
    const { contended, alone } = waitMs;
    const firstMs = isPrivileged(holder) ? alone : Math.min(contended, alone);
    let timer = timeout(firstMs, () => {
      if (firstMs === alone || isContended(holder)) giveUp();
      else timer = timeout(alone - firstMs, giveUp);
    });
    signal?.addEventListener('abort', giveUp);
    const ended = options.onWait?.();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      ended?.();
    });
  };

  return {
    take,
    enter(holder, begin) {
      if (take(holder)) begin();
      else startWaiting(holder, begin);
    },
    leave,
    giveBack,
    async run(holder, work, signal) {
      if (signal?.aborted) throw refusal('aborted');
      if (!take(holder)) await placeFor(holder, signal);
      const since = restMs ? performance.now() : 0;
      try {
        if (signal?.aborted) throw refusal('aborted');
        return await work();
      } finally {
        const ms = restMs && queues.has(holder) ? restMs(performance.now() - since) : 0;
        if (ms > 0) setTimeout(endRun, ms, holder);
        else endRun(holder);
      }
    },
    beginAll() {
      for (const [holder, queue] of [...queues]) {
        for (const begin of [...queue]) {
          if (!leave(holder, begin)) continue;
          takeNow(holder);
          begin();
        }
      }
    },
    heldBy,
    taken: () => taken,
    waiting: () => waiting,
  };
}

const READY = Promise.resolve();
const timeout = (ms: number, wake: () => void) => (Number.isFinite(ms) ? setTimeout(wake, ms) : undefined);

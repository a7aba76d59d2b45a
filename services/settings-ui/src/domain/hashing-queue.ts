import { AppError } from '@frontdesk/service';

/** Passwords hashed at the same time. Node.js has four threads for this; DNS, files and compression need the others. */
const CONCURRENCY = 2;
/** Longest length of each of the two queues: some hundred milliseconds of work. */
const MAX_WAITING = 50;

export interface HashingQueue {
  /**
   * Runs the work in its turn. Strangers wait until no known browser does.
   * @throws AppError `service_unavailable` where the queue is full
   */
  run<Result>(by: 'known' | 'stranger', work: () => Promise<Result>): Promise<Result>;
}

/** Bounds how many passwords are hashed at once (each takes 19 MiB and a thread), and how many wait. */
export function createHashingQueue(): HashingQueue {
  const waiting: Record<'known' | 'stranger', (() => void)[]> = { known: [], stranger: [] };
  let running = 0;

  const enter = async (queue: (() => void)[]) => {
    if (running < CONCURRENCY) {
      running += 1;
      return;
    }
    if (queue.length >= MAX_WAITING) {
      throw new AppError('service_unavailable', 'Too many people sign in right now. Please try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    await promise;
  };
  /** Hands the place to the next in the queue. */
  const leave = () => {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next) next();
    else running -= 1;
  };

  return {
    async run(by, work) {
      await enter(waiting[by]);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

import { AppError } from '@frontdesk/service';

/** Of the four threads that Node.js has for such work; names, files and compression need the others. */
const AT_ONCE = 2;
/** Some hundred milliseconds of work. Each of the two queues holds so many. */
const MOST_WAITING = 50;

export interface HashingQueue {
  /**
   * Does the work once it is its turn. Strangers come last, however many they are.
   * @throws AppError `service_unavailable` where too many wait already
   */
  run<Result>(by: 'known' | 'stranger', work: () => Promise<Result>): Promise<Result>;
}

/** Bounds how many passwords are hashed at once, each of which takes 19 MiB and a thread, and how many wait for that. */
export function createHashingQueue(): HashingQueue {
  const waiting: Record<'known' | 'stranger', (() => void)[]> = { known: [], stranger: [] };
  let running = 0;

  const enter = async (queue: (() => void)[]) => {
    if (running < AT_ONCE) {
      running += 1;
      return;
    }
    if (queue.length >= MOST_WAITING) {
      throw new AppError('service_unavailable', 'Too many people sign in right now. Please try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    await promise;
  };
  /** The place goes on to the next one. */
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

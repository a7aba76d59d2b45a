import { createFairQueue } from '@frontdesk/fair';
import { AppError } from '@frontdesk/service';

/** Of the four threads that Node.js has for such work; names, files and compression need the others. */
const AT_ONCE = 2;
/** Some hundred milliseconds of work. So many wait of those who are known, and as many strangers. */
const MOST_WAITING = 50;
/** So that the admins of one tenant keep nobody else's out, however often they come. */
const MOST_WAITING_OF_TENANT = 5;

const refusal = () =>
  new AppError('service_unavailable', 'Too many people are signing in right now. Please try again.', {
    headers: { 'retry-after': '1' },
  });

/**
 * Bounds how many passwords are hashed at once, each of which takes 19 MiB and a thread, and how many wait for that.
 */
export function createHashingQueue({ atOnce = AT_ONCE } = {}) {
  const hashing = createFairQueue<'known' | 'strangers'>({
    places: atOnce,
    waiting: MOST_WAITING,
    isPrivileged: (holder) => holder === 'known',
    refusal,
  });
  const waiting = createFairQueue<number>({ perHolder: MOST_WAITING_OF_TENANT });

  return {
    /**
     * Does the work once there is a place, for somebody who is known to be of this tenant, or for a stranger. The two
     * take turns: neither waits for all of the others, however many they are.
     * @throws AppError `service_unavailable` where too many wait already
     */
    async run<Result>(tenantId: number | null, work: () => Promise<Result>): Promise<Result> {
      if (tenantId === null) return hashing.run('strangers', work);
      if (hashing.taken() < atOnce) return hashing.run('known', work);
      if (!waiting.take(tenantId)) throw refusal();
      let isWaiting = true;
      const endWait = () => {
        if (isWaiting) waiting.giveBack(tenantId);
        isWaiting = false;
      };
      return hashing
        .run('known', () => {
          endWait();
          return work();
        })
        .finally(endWait);
    },
  };
}

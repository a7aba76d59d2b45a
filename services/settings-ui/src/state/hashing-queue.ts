import { AppError } from '@frontdesk/service';

/** Of the four threads that Node.js has for such work; names, files and compression need the others. */
const AT_ONCE = 2;
/** Some hundred milliseconds of work. Each of the two queues holds so many. */
const MOST_WAITING = 50;
/** So that the admins of one tenant keep nobody else's out, however often they come. */
const MOST_WAITING_OF_TENANT = 5;

interface Waiting {
  tenantId: number | null;
  begin: () => void;
}

/** Bounds how many passwords are hashed at once, each of which takes 19 MiB and a thread, and how many wait for that. */
export function createHashingQueue() {
  const known: Waiting[] = [];
  const strangers: Waiting[] = [];
  let running = 0;
  let wasKnown = false;

  const isFull = (queue: Waiting[], tenantId: number | null) =>
    queue.length >= MOST_WAITING ||
    (tenantId !== null &&
      queue.filter((waiting) => waiting.tenantId === tenantId).length >= MOST_WAITING_OF_TENANT);

  const enter = async (tenantId: number | null) => {
    if (running < AT_ONCE) {
      running += 1;
      return;
    }
    const queue = tenantId === null ? strangers : known;
    if (isFull(queue, tenantId)) {
      throw new AppError(
        'service_unavailable',
        'Too many people are signing in right now. Please try again.',
        { headers: { 'retry-after': '1' } },
      );
    }
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    queue.push({ tenantId, begin });
    await promise;
  };
  /** The place goes on to the next one. */
  const leave = () => {
    const [first, second] = wasKnown ? [strangers, known] : [known, strangers];
    const next = first.shift() ?? second.shift();
    if (!next) {
      running -= 1;
      return;
    }
    wasKnown = next.tenantId !== null;
    next.begin();
  };

  return {
    /**
     * Does the work once it is its turn, for somebody who is known to be of this tenant, or for a stranger. The two take turns: neither
     * waits for all of the others, however many they are.
     * @throws AppError `service_unavailable` where too many wait already
     */
    async run<Result>(tenantId: number | null, work: () => Promise<Result>): Promise<Result> {
      await enter(tenantId);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

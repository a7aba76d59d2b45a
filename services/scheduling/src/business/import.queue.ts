import { createFairQueue } from '@frontdesk/fair';
import { AppError } from '@frontdesk/service';

/** Half of what the operator's command line waits for an answer. */
const WAIT_MS = 30_000;
/** Each holds a document of up to 32 MiB. */
const MOST_WAITING = 20;

const busy = () =>
  new AppError('service_unavailable', 'Another business is being imported. Please try again.', {
    headers: { 'retry-after': '5' },
  });

/** Imports one business at a time: a document may hold hundreds of staff, and all of them are compared and written at once. */
export function createImportQueue({ waitMs = WAIT_MS, mostWaiting = MOST_WAITING } = {}) {
  const queue = createFairQueue<'import'>({ places: 1, waiting: mostWaiting, waitMs, refusal: busy });
  return {
    /** Does the work once no other is at work. @throws AppError `service_unavailable` where that takes too long, or too many wait */
    run: <Result>(work: () => Promise<Result>) => queue.run('import', work),
  };
}

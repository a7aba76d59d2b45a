import { type Component, type Logger, loop } from '@frontdesk/service';
import type { DeliveryQueue } from '../data/queue.repository.ts';

const INTERVAL_MS = 1_000;

/** Frees what dead processes held, so that it goes on within a second or two; `onFreed` when something is due again. */
export function createLostLeasesWorker(options: {
  queue: Pick<DeliveryQueue, 'freeLost'>;
  onFreed: () => void;
  logger: Logger;
}): Component {
  const { queue, onFreed, logger } = options;
  return loop({
    name: 'lost leases',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      if ((await queue.freeLost()) > 0) onFreed();
      return false;
    },
  });
}

import type { SystemScope } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { freeLostLeases } from '../queue/queue.repository.ts';

const INTERVAL_MS = 1_000;

/** Frees what dead processes held, and leases that have run out, so that it goes on within a second or two; `onQueued` when something is due again. */
export function createLostLeasesWorker(options: {
  system: SystemScope;
  onQueued: () => void;
  logger: Logger;
}): Component {
  const { system, onQueued, logger } = options;
  return loop({
    name: 'lost leases',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      if ((await freeLostLeases(system)) > 0) onQueued();
      return false;
    },
  });
}

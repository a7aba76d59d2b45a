import type { SystemScope } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { freeLostLeases } from '../data/queue.repository.ts';

const INTERVAL_MS = 1_000;

/** Frees what dead processes held, so that it goes on within a second or two; `onFreed` when something is due again. */
export function createLostLeasesWorker(options: {
  system: SystemScope;
  onFreed: () => void;
  logger: Logger;
}): Component {
  const { system, onFreed, logger } = options;
  return loop({
    name: 'lost leases',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      if ((await freeLostLeases(system)) > 0) onFreed();
      return false;
    },
  });
}

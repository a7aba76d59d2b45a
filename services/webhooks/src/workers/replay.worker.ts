import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import { findDueReplay } from '../data/replay-walk.repository.ts';
import { walkReplay } from '../use-cases/walk-replay.ts';

const INTERVAL_MS = 1_000;

/**
 * Walks the running replays batch by batch, of each endpoint no faster than allowed. Any number of processes do: each
 * batch holds its replay, and what is due and held by nobody is next. It is woken when a replay has begun.
 */
export function createReplayWorker(options: {
  database: Database;
  /** Deliveries queued a second, at most, of each endpoint. */
  perSecond: number;
  /** After the commit of deliveries that wait. */
  onQueued: () => void;
  logger: Logger;
}): Loop {
  const { database, perSecond, onQueued, logger } = options;
  const worker = loop({
    name: 'replays',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      const due = await findDueReplay(database.system);
      if (due === null) return false;
      const made = await database
        .forTenantInBackground(due.tenant_id)
        .transaction((tx) => walkReplay(tx, due.id, perSecond));
      if (made === null) return false;
      if (made.queued > 0) onQueued();
      if (made.delayMs > 0 && made.delayMs < INTERVAL_MS)
        setTimeout(() => worker.wake(), made.delayMs).unref();
      return true;
    },
  });
  return worker;
}

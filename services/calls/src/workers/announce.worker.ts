import type { Database } from '@frontdesk/database';
import { type Logger, loop, type Part } from '@frontdesk/service';
import { findCallsToAnnounce } from '../data/due-call.repository.ts';
import { announceCall } from '../use-cases/announce-call.ts';

const INTERVAL_MS = 1_000;
const BATCH = 50;

/** Announces calls whose analysis doesn't come. When one is due is in its row: a restart loses none. One's fault stops no other. */
export function createAnnouncer({ database, logger }: { database: Database; logger: Logger }): Part {
  return loop({
    name: 'announcer',
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      const due = await findCallsToAnnounce(database.system, BATCH);
      const faults: unknown[] = [];
      for (const { tenant_id, id } of due) {
        if (signal.aborted) return false;
        const announced = database.forTenant(tenant_id).transaction((tx) => announceCall(tx, id));
        await announced.catch((error: unknown) => faults.push(error));
      }
      if (faults.length > 0) throw faults[0];
      return due.length === BATCH;
    },
  });
}

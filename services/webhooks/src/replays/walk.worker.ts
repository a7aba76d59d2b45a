import type { Database, SystemScope, TenantTransaction } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import { findDueReplay, findReleasingEndpoint } from './replay-walk.repository.ts';
import type { Progress } from './replay-walk.statements.ts';
import { walkParked, walkReplay } from './walk-replay.ts';

const INTERVAL_MS = 1_000;

interface Walk {
  /** What has been due for longest among those that nobody is at work on. */
  findDue: (system: SystemScope) => Promise<{ tenant_id: number; id: number } | null>;
  /** Null where another process has it just now. */
  walk: (tx: TenantTransaction, id: number, perSecond: number) => Promise<Progress | null>;
}

/** `replays` is woken when a replay has begun, `releases` when deliveries of a resumed tenant are parked. */
const WALKS = {
  replays: { findDue: findDueReplay, walk: walkReplay },
  releases: { findDue: findReleasingEndpoint, walk: walkParked },
} satisfies Record<string, Walk>;

/**
 * Walks what is to go out again batch by batch, of each endpoint no faster than allowed. Any number of processes do: each
 * batch holds what it walks, and what is due and held by nobody is next.
 */
export function createWalkWorker(
  name: keyof typeof WALKS,
  options: {
    database: Database;
    /** Deliveries queued a second, at most, of each endpoint. */
    perSecond: number;
    /** After the commit of deliveries that wait. */
    onQueued: () => void;
    logger: Logger;
  },
): Loop {
  const { database, perSecond, onQueued, logger } = options;
  const { findDue, walk }: Walk = WALKS[name];
  const worker = loop({
    name,
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      const due = await findDue(database.system);
      if (due === null) return false;
      const made = await database
        .forTenantInBackground(due.tenant_id)
        .transaction((tx) => walk(tx, due.id, perSecond));
      if (made === null) return false;
      if (made.queued > 0) onQueued();
      if (made.delayMs > 0 && made.delayMs < INTERVAL_MS)
        setTimeout(() => worker.wake(), made.delayMs).unref();
      return true;
    },
  });
  return worker;
}

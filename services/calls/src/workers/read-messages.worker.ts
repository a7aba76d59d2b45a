import { sqlState } from '@frontdesk/database';
import type { Logger, Loop, Metrics } from '@frontdesk/service';
import { deferMessage, findDueMessages, oldestDueSeconds } from '../data/call-message.repository.ts';
import { type ReadDeps, readMessage } from '../use-cases/read-message.ts';
import { createMessageMetrics } from './message-metrics.ts';
import { createReadingThread } from './reading-thread.ts';
import { createTenantLanes } from './tenant-lanes.ts';

/** Messages read at the same time: each takes a connection, and with 5 MiB of text several times that of memory. */
const LANES = 2;

/** Reads what came in. A message that can't be read just now stays where it is and is tried again, later each time. */
export function createMessageReader(
  deps: Omit<ReadDeps, 'read'> & { logger: Logger; metrics: Metrics },
): Loop {
  const { database, logger } = deps;
  const thread = createReadingThread();
  const metrics = createMessageMetrics({
    metrics: deps.metrics,
    oldestDueSeconds: () => oldestDueSeconds(database.system),
  });

  const lanes = createTenantLanes({
    name: 'message reader',
    lanes: LANES,
    findDue: (without, limit) => findDueMessages(database.system, without, limit),
    async work(message) {
      const outcome = await readMessage({ ...deps, read: thread.read }, message);
      if (outcome) metrics.handled(outcome);
    },
    async defer({ tenant_id, id }, error) {
      metrics.handled('received');
      logger.error({ err: error, tenant_id, message_id: id }, 'message not read');
      await deferMessage(
        database.forTenantInBackground(tenant_id),
        id,
        `Will be tried again: ${nameOf(error)}.`,
      );
    },
    logger,
  });
  return {
    ...lanes,
    async stop() {
      await lanes.stop();
      await thread.stop();
    },
  };
}

/** For people to read beside the message: what kind of fault it is, and nothing of what the message holds. */
const nameOf = (error: unknown) =>
  [
    error instanceof Error ? error.name : 'unknown',
    (error as { code?: string } | null)?.code,
    sqlState(error),
  ]
    .filter((part) => part !== undefined)
    .join(' ');

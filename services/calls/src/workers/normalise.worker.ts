import { sqlState } from '@frontdesk/database';
import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import {
  type DueMessage,
  deferMessage,
  findDueMessages,
  oldestDueSeconds,
} from '../data/call-message.repository.ts';
import { type NormaliseDeps, normaliseMessage } from '../use-cases/normalise-message.ts';
import { createMessageMetrics } from './message-metrics.ts';

/** Looks this often even if nobody wakes it: for what other processes took in and left, and for what is tried again. */
const INTERVAL_MS = 1_000;
const CLAIMED = 20;
/** Messages read at the same time: each takes a connection, and with 5 MiB of text several times that of memory. */
const LANES = 2;

/**
 * Reads what came in. One message's fault stops no other: it stays where it is and is tried again, later each time.
 * A stop finishes the messages in hand.
 */
export function createNormaliser(deps: NormaliseDeps & { logger: Logger; metrics: Metrics }): Loop {
  const { database, logger } = deps;
  const metrics = createMessageMetrics({
    metrics: deps.metrics,
    oldestDueSeconds: () => oldestDueSeconds(database.system),
  });

  const handle = async (message: DueMessage) => {
    try {
      const outcome = await normaliseMessage(deps, message);
      if (outcome) metrics.handled(outcome);
    } catch (error) {
      metrics.handled('received');
      logger.error({ err: error, tenant_id: message.tenant_id, message_id: message.id }, 'message not read');
      await deferMessage(
        database.forTenant(message.tenant_id),
        message.id,
        `To be tried again: ${nameOf(error)}.`,
      );
    }
  };

  return loop({
    name: 'normaliser',
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      const due = await findDueMessages(database.system, CLAIMED);
      const isFull = due.length === CLAIMED;
      const lane = async () => {
        for (let next = due.shift(); next && !signal.aborted; next = due.shift()) await handle(next);
      };
      const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
      const failed = ended.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
      return isFull;
    },
  });
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

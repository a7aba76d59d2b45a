import { CALL_MESSAGE_STATUSES, type CallMessage, type CallProviderName } from '@frontdesk/contracts';
import { type Database, sqlState } from '@frontdesk/database';
import type { Logger, Loop, Metrics } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { Counter } from 'prom-client';
import type { EndWaits } from '../calls/write-call.ts';
import type { DueRow } from '../due-rows/due-row.repository.ts';
import { workDueRows } from '../due-rows/work-due-rows.ts';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { applyPatch } from './apply-patch.ts';
import {
  deferMessage,
  findDueMessages,
  findReceivedMessage,
  oldestDueSeconds,
  settleMessage,
} from './call-message.repository.ts';
import type { ReadMessage } from './read-raw-message.rules.ts';
import { createReadingThread } from './reading-thread.ts';

/** Messages read at the same time: each takes a connection, and with 5 MiB of text several times that of memory. */
const CONCURRENCY = 2;

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

  const worker = workDueRows({
    name: 'message reader',
    concurrency: CONCURRENCY,
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
    ...worker,
    async stop() {
      await worker.stop();
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

function createMessageMetrics(options: { metrics: Metrics; oldestDueSeconds: () => Promise<number> }) {
  const registers = [options.metrics.registry];
  const messages = new Counter({
    name: 'call_messages_total',
    help: 'Messages that were read, by what came of it; received: to be tried again.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of CALL_MESSAGE_STATUSES) messages.inc({ outcome }, 0);
  const help = 'How long the longest waiting message has been due; 0 where none is.';
  options.metrics.watch({ name: 'call_messages_oldest_due_seconds', help }, options.oldestDueSeconds);
  return {
    /** `received`: it stays as it is, for another try. */
    handled: (outcome: CallMessage['status']) => messages.inc({ outcome }),
  };
}

interface ReadDeps {
  database: Database;
  tenants: TenantDirectory;
  waits: EndWaits;
  read: (provider: CallProviderName, message: RawMessage) => Promise<ReadMessage>;
  /** There is a call whose customer has to be asked for. */
  onLinkDue: () => void;
}

/**
 * Reads a stored message and settles it: applied to its call, ignored, or unreadable. Any number may do it at once: the transaction
 * begins when the message is read, so that nothing is locked meanwhile.
 * @returns what came of it; null where somebody else has read it
 */
async function readMessage(deps: ReadDeps, { tenant_id, id }: DueRow): Promise<CallMessage['status'] | null> {
  const scope = deps.database.forTenantInBackground(tenant_id);
  const message = await findReceivedMessage(scope, id);
  if (!message) return null;
  const read = await deps.read(message.provider, {
    body: message.body,
    contentType: message.content_type,
    contentEncoding: message.content_encoding ?? '',
    headers: {},
    url: message.url,
    receivedAt: message.received_at,
  });
  if (read.kind !== 'call') {
    await settleMessage(scope, id, { status: read.kind, reason: read.reason });
    return read.kind;
  }
  const { country } = await deps.tenants.find(tenant_id);
  const context = { country, waits: deps.waits };
  const applied = await scope.transaction((tx) => applyPatch(tx, message, read, context));
  if (applied?.isLinkDue) deps.onLinkDue();
  return applied?.status ?? null;
}

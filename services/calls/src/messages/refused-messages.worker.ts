import { CALL_REFUSALS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { addRefusedMessages, type RefusedMessageCount } from '../sources/refused-message.repository.ts';
import type { RefusedMessages } from './receive-message.ts';

const WRITE_EVERY_MS = 1_000;
/** Of sources and reasons. While the database is away for long, further ones are not counted. */
const MAX_UNWRITTEN = 50_000;
/** Of one statement. */
const BATCH = 1_000;

type Key = Pick<RefusedMessageCount, 'tenantId' | 'sourceId' | 'reason'>;
const keyOf = ({ tenantId, sourceId, reason }: Key) => `${tenantId}:${sourceId}:${reason}`;

/**
 * Counts refused messages by source and reason here, and adds them to the table once a second, also before the service stops. A process
 * that is killed takes the counts of its last second along.
 */
export function createRefusedMessages(options: { database: Database; logger: Logger }) {
  const { database, logger } = options;
  let unwritten = new Map<string, RefusedMessageCount>();
  let beingWritten = new Map<string, RefusedMessageCount>();

  const add = (count: RefusedMessageCount) => {
    const known = unwritten.get(keyOf(count));
    if (known) {
      known.messages += count.messages;
      known.firstAtMs = Math.min(known.firstAtMs, count.firstAtMs);
      known.lastAtMs = Math.max(known.lastAtMs, count.lastAtMs);
    } else if (unwritten.size < MAX_UNWRITTEN) unwritten.set(keyOf(count), count);
  };

  const write = async () => {
    beingWritten = unwritten;
    unwritten = new Map();
    const left = [...beingWritten.values()];
    try {
      while (left.length > 0) {
        const batch = left.slice(-BATCH);
        await addRefusedMessages(database.system, batch);
        left.length -= batch.length;
      }
    } catch (error) {
      for (const count of left) add(count);
      throw error;
    } finally {
      beingWritten = new Map();
    }
  };

  const worker = loop({ name: 'refused messages', intervalMs: WRITE_EVERY_MS, run: write, logger });
  const component: Component = {
    ...worker,
    async stop() {
      await worker.stop();
      await write().catch((error) => logger.warn({ err: error }, 'refused messages were not counted'));
    },
  };
  const refused: RefusedMessages = {
    note({ tenant_id: tenantId, id: sourceId }, reason, messages = 1) {
      const now = Date.now();
      add({ tenantId, sourceId, reason, messages, firstAtMs: now, lastAtMs: now });
    },
    isUnwritten: ({ tenant_id: tenantId, id: sourceId }) =>
      CALL_REFUSALS.some((reason) => {
        const key = keyOf({ tenantId, sourceId, reason });
        return unwritten.has(key) || beingWritten.has(key);
      }),
  };
  return { component, refused };
}

import { SNAPSHOT_PAGE, type SnapshotEntry } from '@frontdesk/contracts';
import { bisect } from '@frontdesk/fair';
import { type DeadLetters, type Logger, type Loop, loop } from '@frontdesk/service';
import { refusalBy } from '../consumer/dead-letter.ts';

const INTERVAL_MS = 60_000;

interface FillState {
  /** What a fill is to make good for; null: nothing. */
  reasonToFill(): Promise<string | null>;
  /** A refill that began for this reason is complete. */
  markFilled(reason: string): Promise<void>;
  markStale(): Promise<void>;
}

export interface Refill extends Loop {
  /** Has the projection filled once more, whatever happens in between: for a consumer's `onGap`. */
  again(): Promise<void>;
}

/**
 * Fills a projection from its owner's snapshot, once in the projection's life and after each gap: Kafka keeps what happened lately, not
 * what happened long before this projection began. It runs beside the consumer; `apply` keeps the higher version of
 * the two, so their order doesn't matter. Cut off half way, it begins again.
 */
export function createRefill<Record>(options: {
  name: string;
  state: FillState;
  /** The page after this record, in the order of tenant and id; shorter than SNAPSHOT_PAGE: the last one. */
  fetchPage: (after: { tenantId: number; id: number }) => Promise<SnapshotEntry<Record>[]>;
  apply: (entries: SnapshotEntry<Record>[]) => Promise<void>;
  deadLetters: Pick<DeadLetters, 'refusal'>;
  logger: Logger;
}): Refill {
  const { name, state, fetchPage, apply, deadLetters, logger } = options;

  /** Applies the entries; one that can never be applied is logged and skipped. @returns how many were applied */
  const take = async (entries: SnapshotEntry<Record>[]): Promise<number> => {
    let applied = entries.length;
    await bisect(entries, {
      take: (part) => refusalBy(() => apply(part), deadLetters),
      setAside({ tenant_id, aggregate_id }, reason) {
        applied -= 1;
        logger.error({ projection: name, tenant_id, aggregate_id, reason }, 'record of a snapshot left out');
      },
    });
    return applied;
  };

  const fill = async (signal: AbortSignal): Promise<number | null> => {
    let count = 0;
    let after = { tenantId: 0, id: 0 };
    while (!signal.aborted) {
      const entries = await fetchPage(after);
      count += await take(entries);
      // Where nothing fits, it is not the records that are wrong.
      if (count === 0 && entries.length > 0)
        throw new Error('No record of the first snapshot page could be applied.');
      const last = entries.at(-1);
      if (!last || entries.length < SNAPSHOT_PAGE) return count;
      after = { tenantId: last.tenant_id, id: last.aggregate_id };
    }
    return null;
  };

  const worker = loop({
    name: `refill of ${name}`,
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      const reason = await state.reasonToFill();
      if (reason === null) return;
      const count = await fill(signal);
      if (count === null) return;
      await state.markFilled(reason);
      if (count > 0) logger.info({ projection: name, count }, 'projection filled from its owner’s snapshot');
    },
  });
  return {
    ...worker,
    async again() {
      await state.markStale();
      worker.wake();
    },
  };
}

import { SNAPSHOT_PAGE, type SnapshotEntry } from '@frontdesk/contracts';
import { type DeadLetters, type Logger, type Loop, loop } from '@frontdesk/service';
import { refusalBy } from './refusal.ts';

const INTERVAL_MS = 60_000;

interface FillState {
  /** What a fill is to make good for; null: nothing. */
  lack(): Promise<string | null>;
  /** Filled by a fill that began with this lack. */
  markFilled(lack: string): Promise<void>;
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

  /** All but what can never be taken in: that is left out, and holds nothing else up. @returns how many were taken */
  const take = async (entries: SnapshotEntry<Record>[]): Promise<number> => {
    const [first] = entries;
    if (!first) return 0;
    const reason = await refusalBy(() => apply(entries), deadLetters);
    if (reason === null) return entries.length;
    if (entries.length === 1) {
      const { tenant_id, aggregate_id } = first;
      logger.error({ projection: name, tenant_id, aggregate_id, reason }, 'record of a snapshot left out');
      return 0;
    }
    const middle = Math.floor(entries.length / 2);
    return (await take(entries.slice(0, middle))) + (await take(entries.slice(middle)));
  };

  const fill = async (signal: AbortSignal): Promise<number | null> => {
    let count = 0;
    let after = { tenantId: 0, id: 0 };
    while (!signal.aborted) {
      const entries = await fetchPage(after);
      count += await take(entries);
      // Where nothing fits, it is not the records that are wrong.
      if (count === 0 && entries.length > 0) throw new Error('Nothing of the snapshot can be taken in.');
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
      const lack = await state.lack();
      if (lack === null) return;
      const count = await fill(signal);
      if (count === null) return;
      await state.markFilled(lack);
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

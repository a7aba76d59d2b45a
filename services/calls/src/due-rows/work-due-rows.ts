import { type Logger, type Loop, loop } from '@frontdesk/service';
import type { DueRow } from './due-row.repository.ts';
import { createDueRows } from './due-rows.queue.ts';

/** Looks this often even if nobody wakes it: for what other processes left, and for what is due later on. */
const INTERVAL_MS = 1_000;

/**
 * Works off what is due, `concurrency` rows at a time: one row of each tenant in turn, and never two of one tenant. So a
 * tenant with many slow rows takes at most one place from the others. A row that fails stops no other. A stop finishes
 * the rows in hand.
 */
export function workDueRows(options: {
  name: string;
  concurrency: number;
  /** Of each tenant the row that has been due for longest, the given tenants excepted. */
  findDue: (without: number[], limit: number) => Promise<DueRow[]>;
  work: (row: DueRow) => Promise<void>;
  /** After a fault of the work: puts the row off. */
  defer: (row: DueRow, error: unknown) => Promise<unknown>;
  logger: Logger;
}): Loop {
  const { name, concurrency, work, defer, logger } = options;
  const dueRows = createDueRows(options.findDue);

  const run = async () => {
    const row = await dueRows.take();
    if (!row) return false;
    try {
      await work(row).catch((error: unknown) => defer(row, error));
    } finally {
      dueRows.giveBack(row);
    }
    return true;
  };

  const loops = Array.from({ length: concurrency }, () =>
    loop({ name, intervalMs: INTERVAL_MS, run, logger }),
  );
  return {
    name,
    async start() {
      await Promise.all(loops.map((one) => one.start()));
    },
    async stop() {
      await Promise.all(loops.map((one) => one.stop()));
    },
    wake() {
      for (const one of loops) one.wake();
    },
  };
}

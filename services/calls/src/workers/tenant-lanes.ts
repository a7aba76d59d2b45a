import { type Logger, type Loop, loop } from '@frontdesk/service';
import type { DueRow } from '../data/longest-due.ts';
import { createTurns } from '../state/turns.ts';

/** Looks this often even if nobody wakes it: for what other processes left, and for what is due later on. */
const INTERVAL_MS = 1_000;

/**
 * Several lanes that work off what is due, one row of each tenant in turn and of no tenant two at a time: what one tenant
 * piles up, however slow it is, costs the others a turn and never all the lanes. One row's fault stops no other. A
 * stop finishes the rows in hand.
 */
export function createTenantLanes(options: {
  name: string;
  lanes: number;
  /** Of each tenant the row that has been due for longest, the given tenants excepted. */
  findDue: (without: number[], limit: number) => Promise<DueRow[]>;
  work: (row: DueRow) => Promise<void>;
  /** After a fault of the work: puts the row off. */
  defer: (row: DueRow, error: unknown) => Promise<unknown>;
  logger: Logger;
}): Loop {
  const { name, lanes, work, defer, logger } = options;
  const turns = createTurns(options.findDue);

  const run = async () => {
    const row = await turns.take();
    if (!row) return false;
    try {
      await work(row).catch((error: unknown) => defer(row, error));
    } finally {
      turns.giveBack(row);
    }
    return true;
  };

  const loops = Array.from({ length: lanes }, () => loop({ name, intervalMs: INTERVAL_MS, run, logger }));
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

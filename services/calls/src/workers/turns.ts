import type { DueRow } from '../data/longest-due.ts';

/** Tenants that are looked up at a time. */
const ROUND = 50;

export interface Turns {
  /** The next tenant's row; undefined where no tenant that nobody serves has any due. */
  take(): Promise<DueRow | undefined>;
  /** Its tenant may have another turn. */
  giveBack(row: DueRow): void;
}

/** Gives every tenant one row in turn, and none to whom a row of is in hand. */
export function createTurns(findDue: (without: number[], limit: number) => Promise<DueRow[]>): Turns {
  const served = new Set<number>();
  let round: DueRow[] = [];
  let filling: Promise<void> | undefined;

  const fill = async () => {
    round = await findDue([...served], ROUND);
  };

  return {
    async take() {
      if (round.length === 0) {
        // Together: two that look at the same moment would find the same rows.
        filling ??= fill().finally(() => {
          filling = undefined;
        });
        await filling;
      }
      const row = round.shift();
      if (row) served.add(row.tenant_id);
      return row;
    },
    giveBack(row) {
      served.delete(row.tenant_id);
    },
  };
}

import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';

/** The reason to fill a projection that was never filled. */
export const NEVER_FILLED = 'never filled';
/** Beside a projection's own row, one of this name says since when it has to be filled again. */
const STALE = `$name || ': stale'`;

const findState = systemSql<{ is_filled: boolean; stale_since: string | null }, { name: string }>(
  'projection_find',
  `select exists (select from projections where name = $name) as is_filled,
     (select extract(epoch from filled_at)::text from projections where name = ${STALE}) as stale_since`,
);

const insertFilled = systemSql<never, { name: string; reason: string }>(
  'projection_fill',
  `with made_good as (
     delete from projections where name = ${STALE} and extract(epoch from filled_at)::text = $reason
   )
   insert into projections (name, filled_at) values ($name, now()) on conflict (name) do nothing`,
);

const insertStale = systemSql<never, { name: string }>(
  'projection_stale',
  `insert into projections (name, filled_at) values (${STALE}, clock_timestamp())
   on conflict (name) do update set filled_at = excluded.filled_at`,
);

/** Whether a projection has been filled from its owner's snapshot. It is lost together with the projection's rows. */
export interface ProjectionState {
  /** What the next fill is to make good for; null: nothing. */
  reasonToFill(): Promise<string | null>;
  /**
   * Records that a refill is complete. `reason` is what `reasonToFill()` returned when the refill began. If `markStale` was
   * called since, the projection has to be filled once more.
   */
  markFilled(reason: string): Promise<void>;
  /** It lacks something, and has to be filled again. */
  markStale(): Promise<void>;
}

export function projectionState({ system }: Database, name: string): ProjectionState {
  return {
    async reasonToFill() {
      const { is_filled, stale_since } = await system.one(findState, { name });
      return stale_since ?? (is_filled ? null : NEVER_FILLED);
    },
    async markFilled(reason) {
      await system.run(insertFilled, { name, reason });
    },
    async markStale() {
      await system.run(insertStale, { name });
    },
  };
}

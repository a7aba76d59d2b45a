import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';

/** What a projection lacks that was never filled. */
export const NEVER_FILLED = 'never filled';
/** Beside a projection's own row, one of this name says since when it has to be filled again. */
const STALE = `$1 || ': stale'`;

const findState = systemSql<{ is_filled: boolean; stale_since: string | null }, [name: string]>(
  'projection_find',
  `select exists (select from projections where name = $1) as is_filled,
     (select extract(epoch from filled_at)::text from projections where name = ${STALE}) as stale_since`,
);

const insertFilled = systemSql<never, [name: string, lack: string]>(
  'projection_fill',
  `with made_good as (
     delete from projections where name = ${STALE} and extract(epoch from filled_at)::text = $2
   )
   insert into projections (name, filled_at) values ($1, now()) on conflict (name) do nothing`,
);

const insertStale = systemSql<never, [name: string]>(
  'projection_stale',
  `insert into projections (name, filled_at) values (${STALE}, clock_timestamp())
   on conflict (name) do update set filled_at = excluded.filled_at`,
);

/** Whether a projection has been filled from its owner's snapshot. It is lost together with the projection's rows. */
export interface ProjectionState {
  /** What the next fill is to make good for; null: nothing. */
  lack(): Promise<string | null>;
  /** Filled by a fill that began when it lacked this; what it has come to lack since then, it still does. */
  markFilled(lack: string): Promise<void>;
  /** It lacks something, and has to be filled again. */
  markStale(): Promise<void>;
}

export function projectionState({ system }: Database, name: string): ProjectionState {
  return {
    async lack() {
      const { is_filled, stale_since } = await system.one(findState, name);
      return stale_since ?? (is_filled ? null : NEVER_FILLED);
    },
    async markFilled(lack) {
      await system.run(insertFilled, name, lack);
    },
    async markStale() {
      await system.run(insertStale, name);
    },
  };
}

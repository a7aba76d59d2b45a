import type { Database } from './database.ts';
import { systemSql } from './statements.ts';

const findFilled = systemSql<{ filled_at: Date }, [name: string]>(
  'projection_find',
  'select filled_at from projections where name = $1',
);

const insertFilled = systemSql<never, [name: string]>(
  'projection_fill',
  'insert into projections (name, filled_at) values ($1, now()) on conflict (name) do nothing',
);

const deleteFilled = systemSql<never, [name: string]>(
  'projection_stale',
  'delete from projections where name = $1',
);

/** Whether a projection has been filled from its owner's snapshot. It is lost together with the projection's rows. */
export interface ProjectionState {
  isFilled(): Promise<boolean>;
  markFilled(): Promise<void>;
  /** It lacks something, and has to be filled again. */
  markStale(): Promise<void>;
}

export function projectionState(database: Database, name: string): ProjectionState {
  return {
    isFilled: async () => (await database.system.maybeOne(findFilled, name)) !== null,
    async markFilled() {
      await database.system.run(insertFilled, name);
    },
    async markStale() {
      await database.system.run(deleteFilled, name);
    },
  };
}

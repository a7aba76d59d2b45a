import { tenantSql } from '../scope/statements.ts';

/** The total of an unfiltered list. Counts are insert-only deltas, so that writers of one tenant never queue on a row. */
export const readTotal = tenantSql<{ total: number }, { counter: string }>(
  'counts_total',
  `select coalesce(sum(delta), 0)::bigint as total from counts where tenant_id = $tenantId and counter = $counter`,
);

export const insertDelta = tenantSql<never, { counter: string; delta: number }>(
  'counts_insert',
  `insert into counts (tenant_id, counter, delta) values ($tenantId, $counter, $delta)`,
);

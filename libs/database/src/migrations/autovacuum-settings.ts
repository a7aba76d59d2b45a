/** Tables below this number of rows are not looked at. */
const FIRST_LOOK_ROWS = 1_000;

/**
 * Has autovacuum look at a table once it has grown, and not while it is next to empty: a plan for a few rows reads all of them, and
 * prepared statements keep it, however fast the table fills from then on. See docs/decisions/fresh-tables.md.
 */
export const setAutovacuumThresholds = (table: string) =>
  `alter table ${table} set (autovacuum_analyze_threshold = ${FIRST_LOOK_ROWS}, autovacuum_vacuum_threshold = ${FIRST_LOOK_ROWS})`;

export const resetAutovacuumThresholds = (table: string) =>
  `alter table ${table} reset (autovacuum_analyze_threshold, autovacuum_vacuum_threshold)`;

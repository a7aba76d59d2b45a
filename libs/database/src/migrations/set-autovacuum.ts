const FIRST_LOOK_ROWS = 1_000;

/**
 * SQL that has autovacuum look at these tables once they have grown, and not while they are next to empty: a plan for a few rows reads
 * all of them, and prepared statements keep it, however fast the table fills then. See docs/decisions/fresh-tables.md.
 */
export function setAutovacuum(tables: readonly string[]): string {
  const settings = ['autovacuum_analyze_threshold', 'autovacuum_vacuum_threshold'];
  const set = settings.map((setting) => `${setting} = ${FIRST_LOOK_ROWS}`).join(', ');
  return tables.map((table) => `alter table ${table} set (${set});`).join('\n');
}

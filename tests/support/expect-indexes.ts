import type { Client } from 'pg';
import { sequentialScans } from './plans.ts';

/**
 * Expects an index behind whatever the work reads of these tables, and that autovacuum leaves them alone while they are next to
 * empty: see docs/decisions/fresh-tables.md.
 * @param options.sent some of the statements that the work sends: what is not sent is not looked at
 * @param options.readsWhole statements that may read a whole table
 */
export async function expectIndexes(
  client: Client,
  options: { tables: readonly string[]; sent: readonly string[]; readsWhole?: readonly string[] },
  work: () => Promise<unknown>,
): Promise<void> {
  const { tables, sent, readsWhole = [] } = options;
  const { statements, scans } = await sequentialScans(client, tables, work);
  expect(scans.filter((scan) => !readsWhole.some((name) => scan.startsWith(`${name} (`)))).toEqual([]);
  expect(sent.filter((name) => !statements.has(name))).toEqual([]);
  const { rows: analysedEarly } = await client.query(
    `select relname from pg_class where relname = any($1) and relkind = 'r'
       and not coalesce('autovacuum_analyze_threshold=1000' = any(reloptions), false)`,
    [tables],
  );
  expect(analysedEarly).toEqual([]);
}

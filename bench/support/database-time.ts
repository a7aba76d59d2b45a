import type { Client } from 'pg';
import { type Recorded, recordStatements } from '../../tests/support/plans.ts';

/** The best counts: what is above it is the machine's other work. */
const ROUNDS = 5;

interface Explained {
  'Execution Time': number;
}

/**
 * By PostgreSQL's own measure: what it takes to execute the statement. The clock is not asked for each row, which may take longer
 * than the row does.
 */
async function executionMs(client: Client, { text, values }: Recorded): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    times.push(rows[0]?.['QUERY PLAN'][0]['Execution Time'] ?? Number.NaN);
  }
  return Math.min(...times);
}

/** Database time, in milliseconds, of each statement that the work sends; the reading ones only, once each. */
export async function databaseTimes(
  client: Client,
  work: () => Promise<unknown>,
): Promise<{ name: string; ms: number }[]> {
  const statements = await recordStatements(work);
  const times = [];
  for (const statement of statements)
    times.push({ name: statement.name || '(not prepared)', ms: await executionMs(client, statement) });
  return times;
}

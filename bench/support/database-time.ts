import type { Client } from 'pg';
import { type Recorded, recordStatements } from './plans.ts';

/** The best counts: what is above it is the machine's other work. */
const ROUNDS = 5;

interface Explained {
  'Planning Time'?: number;
  'Execution Time'?: number;
}

/**
 * By PostgreSQL's own measure: what it takes to execute the statement or, where that only asks for a plan, to plan it. The
 * clock is not asked for each row, which may take longer than the row does.
 */
async function executionMs(client: Client, { text, values }: Recorded): Promise<number> {
  const isPlan = text.startsWith('explain');
  const explain = isPlan
    ? text.replace('format json', 'format json, summary')
    : `explain (analyze, timing off, format json) ${text}`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(explain, values);
    const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
    times.push(explained?.['Execution Time'] ?? explained?.['Planning Time'] ?? Number.NaN);
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
    times.push({ name: statement.name, ms: await executionMs(client, statement) });
  return times;
}

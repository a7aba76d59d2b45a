import type { Client } from 'pg';
import { databaseTimes } from '../support/database-time.ts';
import { everyQuery } from './queries.ts';
import type { Answer, Send } from './send.ts';

const BOUND_MS = 50;

const totalOf = ({ meta }: Answer) =>
  meta ? `, total ${meta.total_is_estimate ? 'about ' : ''}${meta.total.toLocaleString('en')}` : '';

/** Prints what each query costs PostgreSQL, statement by statement. @returns whether all stay below the bound. */
export async function printTimes(client: Client, send: Send, regular: number): Promise<boolean> {
  let areAllQuick = true;
  for (const [name, path] of await everyQuery(send, regular)) {
    let answer: Answer | undefined;
    const times = await databaseTimes(client, async () => {
      answer = await send(path);
    });
    const ms = times.reduce((sum, time) => sum + time.ms, 0);
    const isQuick = ms < BOUND_MS;
    areAllQuick &&= isQuick;
    const parts = times.map((time) => `${time.name} ${time.ms.toFixed(2)}`).join(', ');
    console.log(
      `${isQuick ? ' ' : '!'} ${name.padEnd(36)} ${ms.toFixed(2).padStart(7)} ms${answer ? totalOf(answer) : ''}  (${parts})`,
    );
  }
  return areAllQuick;
}

import { Client, type QueryConfig } from 'pg';

/** Names of the statements that reach PostgreSQL while the work runs; the text of those without a name. */
export async function sentStatements(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([sent]: unknown[]) =>
      typeof sent === 'string' ? sent : ((sent as QueryConfig).name ?? (sent as QueryConfig).text),
    );
  } finally {
    query.mockRestore();
  }
}

/** Number of statements that reach PostgreSQL while the work runs. */
export const countQueries = async (work: () => Promise<unknown>): Promise<number> =>
  (await sentStatements(work)).length;

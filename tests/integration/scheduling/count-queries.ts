import { Client } from 'pg';

/** Number of statements that reach PostgreSQL while the work runs. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

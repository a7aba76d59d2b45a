import { Client, type QueryConfig } from 'pg';

/**
 * The statements that reach PostgreSQL while the work runs, by whichever connection; as a name, the text of those without one. The
 * look-up of a tenant's profile is left out: the profile is remembered for seconds, which may be over by now.
 */
export async function sentQueries(
  work: () => Promise<unknown>,
): Promise<{ name: string; values: unknown[]; connection: unknown }[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const statements = query.mock.calls.map(([sent]: unknown[], index) => {
      const connection: unknown = query.mock.contexts[index];
      if (typeof sent === 'string') return { name: sent, values: [], connection };
      const { name, text, values = [] } = sent as QueryConfig;
      return { name: name ?? text, values, connection };
    });
    return statements.filter(({ name }) => name !== 'tenants_find');
  } finally {
    query.mockRestore();
  }
}

/** Their names. */
export const sentStatements = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentQueries(work)).map(({ name }) => name);

/** Their number. */
export const countQueries = async (work: () => Promise<unknown>): Promise<number> =>
  (await sentQueries(work)).length;

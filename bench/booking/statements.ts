import { Client } from 'pg';

const SHOWN = 12;
const WIDTH = 76;

interface StatementTotal {
  database: string;
  query: string;
  calls: number;
  plans: number;
  ms: number;
}

/** PostgreSQL's own count of what statements took; `reset` begins it anew. */
export function createStatementCount(adminUrl: string) {
  const withClient = async <Result>(work: (client: Client) => Promise<Result>) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    reset: () => withClient((client) => client.query('select pg_stat_statements_reset()')),
    /** Prints those that took most time, for each of so many requests. */
    async print(requests: number): Promise<void> {
      const { rows } = await withClient((client) =>
        client.query<StatementTotal>(
          `select datname as database, query, calls::float8, plans::float8, total_exec_time + total_plan_time as ms
           from pg_stat_statements join pg_database on pg_database.oid = dbid
           where datname <> 'bench_floor' order by ms desc`,
        ),
      );
      const total = rows.reduce((sum, { ms }) => sum + ms, 0);
      console.log(
        `  statements: ${((total * 1_000) / requests).toFixed(0)} µs of PostgreSQL's time for each`,
      );
      for (const { database, query, calls, plans, ms } of rows.slice(0, SHOWN)) {
        const text = query.replaceAll(/\s+/g, ' ').slice(0, WIDTH);
        const each = `${((ms * 1_000) / requests).toFixed(0).padStart(6)} µs, ${(calls / requests).toFixed(2)} times, ${(plans / requests).toFixed(2)} plans`;
        console.log(`  ${each.padEnd(36)} ${database}: ${text}`);
      }
    },
  };
}

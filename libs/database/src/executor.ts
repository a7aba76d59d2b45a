import { arrayLiteral } from './array-literal.ts';
import { asUnavailable, type Queryable } from './connection.ts';
import type { SystemStatement, TenantStatement } from './statements.ts';

/** Runs statements of one kind; the tenant's statements get their tenant from here. */
interface Runner<Kind extends 'tenant' | 'system'> {
  many<Row, Args extends unknown[]>(statement: Statement<Kind, Row, Args>, ...args: Args): Promise<Row[]>;
  /** The only row, or null. */
  maybeOne<Row, Args extends unknown[]>(
    statement: Statement<Kind, Row, Args>,
    ...args: Args
  ): Promise<Row | null>;
  /** The only row. @throws Error when there is none: use it where the statement always returns one. */
  one<Row, Args extends unknown[]>(statement: Statement<Kind, Row, Args>, ...args: Args): Promise<Row>;
  /** Number of rows that the statement affected. */
  run<Row, Args extends unknown[]>(statement: Statement<Kind, Row, Args>, ...args: Args): Promise<number>;
}

type Statement<Kind, Row, Args extends unknown[]> = Kind extends 'tenant'
  ? TenantStatement<Row, Args>
  : SystemStatement<Row, Args>;

export type TenantExecutor = Runner<'tenant'>;
export type SystemExecutor = Runner<'system'>;

const asParameter = (value: unknown) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value);

function createRunner(queryable: Queryable, scopeValues: unknown[]): TenantExecutor & SystemExecutor {
  const query = async (statement: { name: string; text: string }, args: unknown[]) => {
    try {
      return await queryable.query({
        name: statement.name,
        text: statement.text,
        values: [...scopeValues, ...args.map(asParameter)],
      });
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  return {
    async many<Row>(statement: { name: string; text: string }, ...args: unknown[]) {
      return (await query(statement, args)).rows as Row[];
    },
    async maybeOne<Row>(statement: { name: string; text: string }, ...args: unknown[]) {
      return ((await query(statement, args)).rows[0] as Row | undefined) ?? null;
    },
    async one<Row>(statement: { name: string; text: string }, ...args: unknown[]) {
      const [row] = (await query(statement, args)).rows as Row[];
      if (row === undefined) throw new Error(`Statement ${statement.name} returned no row.`);
      return row;
    },
    async run(statement: { name: string; text: string }, ...args: unknown[]) {
      return (await query(statement, args)).rowCount ?? 0;
    },
  };
}

export const createTenantExecutor = (queryable: Queryable, tenantId: number): TenantExecutor =>
  createRunner(queryable, [tenantId]);

export const createSystemExecutor = (queryable: Queryable): SystemExecutor => createRunner(queryable, []);

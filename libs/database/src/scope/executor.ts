import { asUnavailable, type NamedQuery, type Queryable } from '../pool/connection.ts';
import { arrayLiteral } from './array-literal.ts';
import { type Given, type Numbered, valuesOf } from './parameters.ts';
import type { SystemStatement, TenantStatement } from './statements.ts';

/** Runs statements of one kind; the tenant's statements get their tenant from here. */
interface Runner<Kind extends 'tenant' | 'system'> {
  many<Row, Args extends object>(statement: Statement<Kind, Row, Args>, ...args: Given<Args>): Promise<Row[]>;
  /** The only row, or null. */
  maybeOne<Row, Args extends object>(
    statement: Statement<Kind, Row, Args>,
    ...args: Given<Args>
  ): Promise<Row | null>;
  /** The only row. @throws Error when there is none: use it where the statement always returns one. */
  one<Row, Args extends object>(statement: Statement<Kind, Row, Args>, ...args: Given<Args>): Promise<Row>;
  /** Number of rows that the statement affected. */
  run<Row, Args extends object>(statement: Statement<Kind, Row, Args>, ...args: Given<Args>): Promise<number>;
}

type Statement<Kind, Row, Args extends object> = Kind extends 'tenant'
  ? TenantStatement<Row, Args>
  : SystemStatement<Row, Args>;

export type TenantExecutor = Runner<'tenant'>;
export type SystemExecutor = Runner<'system'>;

type Named = Numbered & { name: string; isPlannedAnew?: boolean };

const asParameter = (value: unknown) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value);

/** @param tenantId null where statements are of no tenant's */
function createRunner(queryable: Queryable, tenantId: number | null): TenantExecutor & SystemExecutor {
  const send = async (query: NamedQuery) => {
    try {
      return await queryable.query(query);
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  // Throws at once where values are wrong: nobody waits for what a transaction sends.
  const query = (statement: Named, given: object = {}) => {
    const { name, text, isPlannedAnew } = statement;
    const values = valuesOf(statement, given, tenantId).map(asParameter);
    return send({ ...(isPlannedAnew ? {} : { name }), text, values });
  };
  return {
    async many<Row>(statement: Named, given?: object) {
      return (await query(statement, given)).rows as Row[];
    },
    async maybeOne<Row>(statement: Named, given?: object) {
      return ((await query(statement, given)).rows[0] as Row | undefined) ?? null;
    },
    async one<Row>(statement: Named, given?: object) {
      const [row] = (await query(statement, given)).rows as Row[];
      if (row === undefined) throw new Error(`Statement ${statement.name} returned no row.`);
      return row;
    },
    run(statement: Named, given?: object) {
      return query(statement, given).then(({ rowCount }) => rowCount ?? 0);
    },
  };
}

export const createTenantExecutor = (queryable: Queryable, tenantId: number): TenantExecutor =>
  createRunner(queryable, tenantId);

export const createSystemExecutor = (queryable: Queryable): SystemExecutor => createRunner(queryable, null);

import type { Exemption } from './by-key-alone.ts';
import { createFacts, type Fact } from './facts.ts';
import { NOTHING, type Origin, type Schema, type Table, TENANT_ID, type Value } from './sources.ts';

export interface IsolationOptions {
  schema: Schema;
  /** Whether a parameter is the tenant whose statement this is; null for a statement across tenants. */
  isTenant: ((parameter: number) => boolean) | null;
  /** Rows may be reached by these keys alone, from a row of the tenant's own. */
  lookups?: Exemption['lookups'];
}

/** What a statement says of the tenants of its tables, and what of it is a fault. */
export function createTenancy({ schema, isTenant, lookups = [] }: IsolationOptions) {
  const facts = createFacts();
  const owned: Table[] = [];
  const joined: [Table, Table][] = [];
  const faults = new Set<string>();

  const isExempt = (one: Origin, key: Origin) =>
    lookups.some(
      ([column, by]) =>
        column === `${one.table.name}.${one.column}` && by === `${key.table.name}.${key.column}`,
    );
  const isSameRow = (one: Origin, other: Origin) =>
    one.table.name === other.table.name && one.column === other.column;

  /** A row found by an exempt key is the tenant's if every row with that key is. */
  const lookUpBy = (value: Value, key: Value, members: ReadonlySet<Fact>) => {
    for (const origin of value.origins) {
      if (origin?.table.fact == null || !members.has(origin.table.fact)) continue;
      const keys = key.origins.map((by) => (by && isExempt(origin, by) ? by.table.fact : null));
      if (keys.every((fact) => fact !== null)) facts.follow(origin.table.fact, keys);
    }
  };

  return {
    facts,
    /** Registers one mention of a table. */
    table(name: string, schemaName?: string): Table {
      const columns = schema.get(name);
      const isServers = schemaName === 'information_schema' || name.startsWith('pg_');
      // What isn't known may have a tenant.
      const isOwned = columns ? columns.has(TENANT_ID) : !isServers;
      const table = { name, fact: isOwned ? facts.add() : null };
      if (isOwned) owned.push(table);
      return table;
    },

    parameter: (number: number): Value => (isTenant?.(number) ? { ...NOTHING, fact: facts.tenant } : NOTHING),

    /** That two values are equal, by a condition that takes away rows of these members. */
    equate(left: Value, right: Value, members: ReadonlySet<Fact>): void {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const) {
        if (one.fact === null || other.fact === null) lookUpBy(one, other, members);
        else {
          if (members.has(one.fact)) facts.follow(one.fact, [other.fact]);
          facts.meet(one.fact, other.fact);
        }
      }
    },

    /** That rows are compared by these values, wherever that stands: as pairs, all of which are equal where one is. */
    compare(pairs: readonly (readonly [Value, Value])[]): void {
      if (pairs.some(([left, right]) => left.fact !== null && right.fact !== null)) return;
      for (const [left, right] of pairs)
        for (const one of left.origins)
          for (const other of right.origins) {
            if (one?.table.fact == null || other?.table.fact == null || one.table === other.table) continue;
            // Rows of one tenant, whatever the union that one of them comes from.
            if (one.column === TENANT_ID && other.column === TENANT_ID) continue;
            if (isSameRow(one, other) || isExempt(one, other) || isExempt(other, one)) continue;
            joined.push([one.table, other.table]);
          }
    },

    /** What rows that are added to a table have as their tenant. */
    fill(table: Table, fact: Fact | null): void {
      if (table.fact === null || fact === null) return;
      facts.follow(table.fact, [fact]);
      facts.meet(table.fact, fact);
    },

    /** What rows of a table are given as their tenant. */
    give(table: Table, fact: Fact | null): void {
      if (table.fact !== null) owned.push({ name: `${table.name}.${TENANT_ID}`, fact: fact ?? facts.add() });
    },

    /** Rows of a table are changed where these columns are those of a row that is added. */
    changeOnConflict(table: Table, keys: readonly (string | undefined)[]): void {
      if (isTenant && table.fact !== null && !keys.includes(TENANT_ID))
        faults.add(`${table.name} is updated on a conflict that may be with another tenant's row`);
    },

    /** In words, once all of the statement is read. */
    faults(): string[] {
      const restricted = facts.restricted();
      if (isTenant) {
        for (const { name, fact } of owned)
          if (fact !== null && !restricted.has(fact)) faults.add(`${name} is not restricted to the tenant`);
      } else
        for (const [one, other] of joined)
          if (one.fact !== null && other.fact !== null && !facts.haveMet(one.fact, other.fact))
            faults.add(`${one.name} and ${other.name} are joined without their tenant_id`);
      return [...faults];
    },
  };
}

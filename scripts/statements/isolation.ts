import type {
  CommonTableExpr,
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeVar,
  SelectStmt,
  UpdateStmt,
} from 'libpg-query';
import type { Fact } from './facts.ts';
import {
  type Column,
  derivedSource,
  functionSource,
  type Level,
  lookUp,
  NOTHING,
  renamed,
  type Source,
  type Table,
  TENANT_ID,
  tableSource,
  type Value,
} from './sources.ts';
import { createTenancy, type IsolationOptions } from './tenancy.ts';
import {
  type Conjunct,
  conjunctsOf,
  type Equality,
  equalitiesOf,
  fail,
  isTransparent,
  memberOf,
  nameOf,
  selectsIn,
  textOf,
} from './trees.ts';

/**
 * What of a statement reaches another tenant's rows, in words; nothing where it is sound.
 *
 * In a tenant's statement each table with a `tenant_id` has to be equal on it, as a top-level conjunct of the WHERE of its query or of an ON that
 * takes its rows away, to the tenant or to a table that is. In a statement across tenants, two such tables whose columns are compared have to be
 * equal on it. What it can't read it doesn't pass over: it throws.
 */
export function isolationFaults(statement: Node, options: IsolationOptions): string[] {
  const { schema } = options;
  const tenancy = createTenancy(options);
  const { facts } = tenancy;
  const read = new Map<SelectStmt, Column[]>();

  function valueIn(expression: Node | undefined, level: Level): Value {
    if (!expression) return NOTHING;
    if ('ColumnRef' in expression) return lookUp(level, expression.ColumnRef.fields ?? []);
    if ('TypeCast' in expression) return valueIn(expression.TypeCast.arg, level);
    if ('ParamRef' in expression) return tenancy.parameter(expression.ParamRef.number ?? 0);
    if ('SubLink' in expression && expression.SubLink.subLinkType === 'EXPR_SUBLINK')
      return select(memberOf(expression.SubLink.subselect, 'SelectStmt'), level)[0] ?? NOTHING;
    return NOTHING;
  }

  function pairsOf({ left, right }: Equality, level: Level): [Value, Value][] {
    const given = 'select' in right ? select(right.select, level) : right.map((each) => valueIn(each, level));
    return left.map((each, index) => [valueIn(each, level), given[index] ?? NOTHING]);
  }

  function apply({ expression, members }: Conjunct, level: Level): void {
    for (const equality of equalitiesOf(expression))
      for (const [left, right] of pairsOf(equality, level)) tenancy.equate(left, right, members);
  }

  /** Reads the queries and comparisons within expressions, each where its names are known. */
  function readWithin(tree: unknown, level: Level): void {
    if (Array.isArray(tree)) for (const each of tree) readWithin(each, level);
    else if (tree && typeof tree === 'object') {
      for (const equality of equalitiesOf(tree as Node)) tenancy.compare(pairsOf(equality, level));
      for (const [key, value] of Object.entries(tree))
        if (key === 'SelectStmt') select(value, level);
        else readWithin(value, level);
    }
  }

  function from(item: Node, level: Level, conjuncts: Conjunct[]): Source[] {
    if ('RangeVar' in item) return [add(level, rangeVar(item.RangeVar, level))];
    if ('JoinExpr' in item) return join(item.JoinExpr, level, conjuncts);
    if ('RangeFunction' in item) {
      readWithin(item.RangeFunction.functions, level);
      return [add(level, functionSource(facts, item.RangeFunction))];
    }
    if ('RangeSubselect' in item) {
      const { subquery, alias } = item.RangeSubselect;
      const statement = memberOf(subquery, 'SelectStmt');
      const members = new Set<Fact>();
      const columns = renamed(select(statement, level, members), (alias?.colnames ?? []).map(textOf));
      const name = alias?.aliasname ?? '';
      if (!isTransparent(statement)) return [add(level, derivedSource(facts, name, columns))];
      const column = (wanted: string) => columns.find((each) => each.name === wanted) ?? null;
      return [add(level, { alias: name, column, columns: () => columns, members })];
    }
    return fail(`a FROM with ${nameOf(item)}`);
  }

  function add(level: Level, source: Source): Source {
    level.sources.push(source);
    return source;
  }

  function rangeVar({ relname = '', schemaname, alias }: RangeVar, level: Level): Source {
    const name = alias?.aliasname ?? relname;
    for (let at: Level | null = schemaname ? null : level; at; at = at.outer) {
      const cte = at.ctes.get(relname);
      if (cte) return derivedSource(facts, name, renamed(cte, (alias?.colnames ?? []).map(textOf)));
    }
    return tableSource(schema, tenancy.table(relname, schemaname), name);
  }

  function join(
    { jointype, larg, rarg, quals, usingClause, isNatural }: JoinExpr,
    level: Level,
    conjuncts: Conjunct[],
  ) {
    if (isNatural || !larg || !rarg) return fail('a natural join');
    const left = from(larg, level, conjuncts);
    const right = from(rarg, level, conjuncts);
    const both = [...left, ...right];
    // An outer join takes no row away of the side that it keeps.
    const kept = { JOIN_INNER: both, JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[String(jointype)];
    const members = membersOf(kept ?? fail(`a ${jointype}`));
    for (const field of usingClause ?? []) {
      const side = (sources: Source[]) => lookUp({ sources, ctes: new Map(), outer: null }, [field]);
      const [one, other] = [side(left), side(right)];
      tenancy.equate(one, other, members);
      tenancy.compare([[one, other]]);
    }
    if (quals) conjuncts.push(...conjunctsOf(quals, members));
    return both;
  }

  const membersOf = (sources: readonly Source[]): Set<Fact> =>
    new Set(sources.flatMap(({ members }) => [...members]));

  function withCtes(clause: { ctes?: Node[]; recursive?: boolean } | undefined, level: Level): void {
    for (const each of clause?.ctes ?? []) {
      const cte = memberOf(each, 'CommonTableExpr');
      const { ctename = '', ctequery } = cte;
      if (!ctequery) throw new Error('The check of statements expects a query in a CTE.');
      if (clause?.recursive) beginRecursion(cte, level);
      level.ctes.set(ctename, renamed(query(ctequery, level), (cte.aliascolnames ?? []).map(textOf)));
    }
  }

  /** The rows that a recursion starts from are what its steps are given. */
  function beginRecursion({ ctename = '', ctequery, aliascolnames }: CommonTableExpr, level: Level): void {
    const start = ctequery && 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined;
    if (start) level.ctes.set(ctename, renamed(select(start, level), (aliascolnames ?? []).map(textOf)));
  }

  function query(node: Node, level: Level): Column[] {
    if ('SelectStmt' in node) return select(node.SelectStmt, level);
    if ('InsertStmt' in node) return insert(node.InsertStmt, level);
    if ('UpdateStmt' in node) return change(node.UpdateStmt, node.UpdateStmt.fromClause, level);
    if ('DeleteStmt' in node) return change(node.DeleteStmt, node.DeleteStmt.usingClause, level);
    return fail(nameOf(node));
  }

  /** @param found gets what a condition on this query's columns takes away */
  function select(statement: SelectStmt, outer: Level | null, found = new Set<Fact>()): Column[] {
    const known = read.get(statement);
    if (known) return known;
    const level: Level = { sources: [], ctes: new Map(), outer };
    withCtes(statement.withClause, level);
    const columns =
      statement.larg && statement.rarg ? bothOf(statement, level) : rowsOf(statement, level, found);
    read.set(statement, columns);
    return columns;
  }

  function bothOf(statement: SelectStmt, level: Level): Column[] {
    const { larg = {}, rarg = {}, op, sortClause, limitCount, limitOffset } = statement;
    const [left, right] = [select(larg, level), select(rarg, level)];
    readWithin([sortClause, limitCount, limitOffset], level);
    if (op !== 'SETOP_UNION') return left;
    return left.map((column, index) => ({ ...column, ...either(column, right[index] ?? NOTHING) }));
  }

  const either = (one: Value, other: Value): Value => ({
    fact: one.fact === null || other.fact === null ? null : facts.add([one.fact, other.fact]),
    origins: [...one.origins, ...other.origins],
  });

  function rowsOf(statement: SelectStmt, level: Level, found: Set<Fact>): Column[] {
    const {
      fromClause = [],
      whereClause,
      valuesLists = [],
      targetList = [],
      withClause: _read,
      ...rest
    } = statement;
    restrict(fromClause, whereClause, level);
    for (const fact of membersOf(level.sources)) found.add(fact);
    readWithin([valuesLists, targetList, rest], level);
    const [first, ...others] = valuesLists.map((each) =>
      (memberOf(each, 'List').items ?? []).map((item) => valueIn(item, level)),
    );
    if (first)
      return first.map((value, index) => ({
        ...others.reduce((all, row) => either(all, row[index] ?? NOTHING), value),
        name: `column${index + 1}`,
      }));
    return columnsOf(targetList, level);
  }

  /** Reads what a query takes its rows from, and what its conditions say of them. */
  function restrict(items: readonly Node[], where: Node | undefined, level: Level): void {
    const conjuncts: Conjunct[] = [];
    for (const item of items) from(item, level, conjuncts);
    if (where) conjuncts.push(...conjunctsOf(where, membersOf(level.sources)));
    readWithin([items.filter((item) => 'JoinExpr' in item).map(onlyConditions), where], level);
    for (const conjunct of conjuncts) apply(conjunct, level);
  }

  function onlyConditions(item: Node): unknown {
    if (!('JoinExpr' in item)) return null;
    const { larg, rarg, quals } = item.JoinExpr;
    return [quals, larg && onlyConditions(larg), rarg && onlyConditions(rarg)];
  }

  function columnsOf(targets: readonly Node[], level: Level): Column[] {
    return targets.flatMap((each) => {
      const { val, name } = memberOf(each, 'ResTarget');
      const fields = val && 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : [];
      const last = fields.at(-1);
      if (last && 'A_Star' in last) {
        const alias = fields.length > 1 ? textOf(fields.at(-2)) : undefined;
        return level.sources
          .filter((source) => alias === undefined || source.alias === alias)
          .flatMap((source) => source.columns());
      }
      return { name: name ?? (last ? textOf(last) : ''), ...valueIn(val, level) };
    });
  }

  function target(relation: RangeVar | undefined, level: Level): Table {
    const { relname = '', alias } = relation ?? {};
    const table = tenancy.table(relname);
    level.sources.push(tableSource(schema, table, alias?.aliasname ?? relname));
    return table;
  }

  function insert(statement: InsertStmt, outer: Level): Column[] {
    const { relation, cols = [], selectStmt, onConflictClause, withClause, returningList = [] } = statement;
    const level: Level = { sources: [], ctes: new Map(), outer };
    withCtes(withClause, level);
    const given = selectStmt ? query(selectStmt, level) : [];
    const table = target(relation, level);
    const at = cols.findIndex((each) => memberOf(each, 'ResTarget').name === TENANT_ID);
    tenancy.fill(table, given[at]?.fact ?? null);
    if (onConflictClause?.action === 'ONCONFLICT_UPDATE') {
      const keys = (onConflictClause.infer?.indexElems ?? []).map((each) => memberOf(each, 'IndexElem').name);
      tenancy.changeOnConflict(table, keys);
      level.sources.push(tableSource(schema, table, 'excluded'));
      readWithin(onConflictClause, level);
    }
    readWithin(returningList, level);
    return columnsOf(returningList, level);
  }

  function change(statement: UpdateStmt | DeleteStmt, sources: Node[] = [], outer: Level): Column[] {
    const { relation, whereClause, withClause, returningList = [] } = statement;
    const level: Level = { sources: [], ctes: new Map(), outer };
    withCtes(withClause, level);
    const table = target(relation, level);
    restrict(sources, whereClause, level);
    const set = ('targetList' in statement && statement.targetList) || [];
    readWithin([set, returningList], level);
    for (const each of set) {
      const { name, val } = memberOf(each, 'ResTarget');
      if (name === TENANT_ID) tenancy.give(table, valueIn(val, level).fact);
    }
    return columnsOf(returningList, level);
  }

  query(statement, { sources: [], ctes: new Map(), outer: null });
  if (read.size !== selectsIn(statement)) fail('one of its queries');
  return tenancy.faults();
}

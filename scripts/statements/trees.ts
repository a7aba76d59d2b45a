import type { Node, SelectStmt } from 'libpg-query';
import type { Fact } from './facts.ts';

/** A condition that every row of its query fulfils, and whose rows it takes away. */
export interface Conjunct {
  expression: Node;
  members: ReadonlySet<Fact>;
}

/** The top-level conjuncts of a condition. */
export function conjunctsOf(condition: Node, members: ReadonlySet<Fact>): Conjunct[] {
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
    return (condition.BoolExpr.args ?? []).flatMap((each) => conjunctsOf(each, members));
  return [{ expression: condition, members }];
}

/** Values that are equal, one by one; on the right there may be a query, with its columns. */
export interface Equality {
  left: Node[];
  right: Node[] | { select: SelectStmt };
}

/** What a condition says is equal: `a = b`, `(a, b) = (c, d)`, `a in (select …)`, `a = any(array(select …))`. */
export function equalitiesOf(condition: Node): Equality[] {
  if ('SubLink' in condition) {
    const { subLinkType, testexpr, subselect, operName } = condition.SubLink;
    const isIn = subLinkType === 'ANY_SUBLINK' && (operName ?? []).every((name) => textOf(name) === '=');
    if (!isIn || !testexpr) return [];
    return [{ left: valuesOf(testexpr), right: { select: memberOf(subselect, 'SelectStmt') } }];
  }
  if (!('A_Expr' in condition)) return [];
  const { kind, name = [], lexpr, rexpr } = condition.A_Expr;
  if (name.length !== 1 || textOf(name[0]) !== '=' || !lexpr || !rexpr) return [];
  if (kind === 'AEXPR_OP') return [{ left: valuesOf(lexpr), right: valuesOf(rexpr) }];
  const array = uncast(rexpr);
  if (kind !== 'AEXPR_OP_ANY' || !('SubLink' in array) || array.SubLink.subLinkType !== 'ARRAY_SUBLINK')
    return [];
  return [{ left: [lexpr], right: { select: memberOf(array.SubLink.subselect, 'SelectStmt') } }];
}

const uncast = (expression: Node): Node =>
  'TypeCast' in expression && expression.TypeCast.arg ? uncast(expression.TypeCast.arg) : expression;

const valuesOf = (expression: Node): Node[] =>
  'RowExpr' in expression ? (expression.RowExpr.args ?? []) : [expression];

/**
 * Whether a condition on the columns of a query takes away the rows that it reads, as if it stood within. `offset 0` only keeps the
 * planner from moving it there.
 */
export function isTransparent(statement: SelectStmt): boolean {
  const { op, distinctClause, groupClause, havingClause, windowClause, limitCount, limitOffset } = statement;
  const isFence = limitOffset === undefined || JSON.stringify(limitOffset).includes('"A_Const":{"ival":{}');
  return (
    op === 'SETOP_NONE' &&
    isFence &&
    !distinctClause &&
    !groupClause &&
    !havingClause &&
    !windowClause &&
    !limitCount &&
    !statement.lockingClause &&
    !statement.valuesLists &&
    !JSON.stringify(statement.targetList ?? []).includes('"over":')
  );
}

/** How many queries there are in a tree, those within others too. */
export function selectsIn(tree: unknown): number {
  if (Array.isArray(tree)) return tree.reduce((sum: number, each) => sum + selectsIn(each), 0);
  if (!tree || typeof tree !== 'object') return 0;
  return Object.entries(tree).reduce(
    (sum, [key, value]) =>
      sum + selectsIn(value) + Number(['SelectStmt', 'larg', 'rarg'].includes(key) && isSelect(value)),
    0,
  );
}

/** The sides of a join are called as those of a union are. */
const isSelect = (value: unknown): boolean => typeof value === 'object' && value !== null && 'op' in value;

/** What can't be read is not passed over. */
export function fail(what: string): never {
  throw new Error(`The check of statements can't read ${what}.`);
}

/** The one of several kinds of node that this has to be. @throws Error where it is another */
export function memberOf<Kind extends string>(
  node: Node | undefined,
  kind: Kind,
): Extract<Node, Record<Kind, unknown>>[Kind] {
  if (!node || !(kind in node))
    throw new Error(`The check of statements expects ${kind}, not ${node && nameOf(node)}.`);
  return (node as Extract<Node, Record<Kind, unknown>>)[kind];
}

export const nameOf = (node: Node): string => Object.keys(node).join();

export const textOf = (node: Node | undefined): string => memberOf(node, 'String').sval ?? '';

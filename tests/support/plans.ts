import { Client, escapeLiteral } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** How PostgreSQL means to read one table for one statement. */
export interface Reading {
  statement: string;
  /** With the parameters of the recorded call, or for whatever parameters. */
  kind: 'custom' | 'generic';
  /** Null: it would read the whole table. */
  index: string | null;
}

export interface Recorded {
  /** Empty for a statement that is not prepared: it is planned anew each time. */
  name: string;
  text: string;
  values: unknown[];
}

const EXPLAINABLE = /^\s*(select|with|insert|update|delete)\b/i;

/** The statements that this process sends while the work runs, each with the parameters of its last call. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Recorded[]> {
  const statements = new Map<string, Recorded>();
  const original = Client.prototype.query;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first, second] = args as [Partial<Recorded> | string, unknown];
    const {
      name = '',
      text,
      values = [],
    } = typeof first === 'object' ? first : { text: first, values: second };
    if (text && Array.isArray(values) && EXPLAINABLE.test(text))
      statements.set(name || text, { name, text, values });
    return Reflect.apply(original, this, args) as unknown;
  } as typeof original;
  try {
    await work();
  } finally {
    Client.prototype.query = original;
  }
  return [...statements.values()];
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

/** The indexes behind a node that reads the table: its own, or those of the bitmaps under it. */
function indexesOf(node: PlanNode): (string | null)[] {
  if (node['Node Type'] !== 'Bitmap Heap Scan') return [node['Index Name'] ?? null];
  return [...nodesOf(node)].flatMap((inner) => inner['Index Name'] ?? []);
}

type Planned = Pick<Reading, 'statement' | 'kind'> & { nodes: PlanNode[] };

/** How PostgreSQL would execute each statement that the work sends, over the data as it is. */
async function plansOf(client: Client, work: () => Promise<unknown>): Promise<Planned[]> {
  const plans: Planned[] = [];
  for (const { name, text, values } of await recordStatements(work)) {
    const explain = async (kind: Reading['kind'], options: string, parameters?: unknown[]) => {
      const { rows } = await client.query(`explain (format json${options}) ${text}`, parameters);
      const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
      plans.push({ statement: name || text, kind, nodes: [...nodesOf(Plan)] });
    };
    await explain('custom', '', values);
    if (name) await explain('generic', ', generic_plan');
  }
  return plans;
}

/** How each statement that the work sends reads the table, by PostgreSQL's own plans over the data as it is. */
export async function readingsOf(
  client: Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<Reading[]> {
  const plans = await plansOf(client, work);
  return plans.flatMap(({ nodes, ...plan }) =>
    nodes
      .filter((node) => node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable')
      .flatMap((node) => indexesOf(node).map((index) => ({ ...plan, index }))),
  );
}

/** Which statements that the work sends would read one of these tables whole, and which statements it sends. */
export async function sequentialScans(
  client: Client,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<{ statements: Set<string>; scans: string[] }> {
  const plans = await plansOf(client, work);
  const scans = plans.flatMap(({ statement, kind, nodes }) =>
    nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? ''))
      .map((node) => `${statement} (${kind}): ${node['Relation Name']}`),
  );
  return { statements: new Set(plans.map(({ statement }) => statement)), scans };
}

/** How many rows of its tables a node has read, in all its loops. */
function rowsReadBy(node: PlanNode): number {
  if (!node['Relation Name']) return 0;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 1);
}

const literalOf = (value: unknown) =>
  value === null
    ? 'null'
    : escapeLiteral(value instanceof Date ? value.toISOString() : String(value as string | number));

/** How many rows of tables each statement that the work sends reads, once more, by this kind of plan. For reading statements only. */
export async function rowsRead(
  client: Client,
  kind: Reading['kind'],
  work: () => Promise<unknown>,
): Promise<{ statement: string; rows: number }[]> {
  const read: { statement: string; rows: number }[] = [];
  for (const { name, text, values } of await recordStatements(work)) {
    await client.query(`set plan_cache_mode = force_${name ? kind : 'custom'}_plan`);
    await client.query(`prepare counted as ${text}`);
    const given = values.length > 0 ? `(${values.map(literalOf).join(', ')})` : '';
    const { rows } = await client.query(`explain (analyze, timing off, format json) execute counted${given}`);
    const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
    read.push({
      statement: name || text,
      rows: [...nodesOf(Plan)].reduce((sum, node) => sum + rowsReadBy(node), 0),
    });
    await client.query('deallocate counted');
  }
  await client.query('reset plan_cache_mode');
  return read;
}

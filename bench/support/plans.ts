import { Client } from 'pg';

interface PlanNode {
  'Node Type': string;
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
  name: string;
  text: string;
  values: unknown[];
}

/** The named statements that this process sends while the work runs, each with the parameters of its last call. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Recorded[]> {
  const statements = new Map<string, Recorded>();
  const original = Client.prototype.query;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [config] = args as [Partial<Recorded> | string];
    if (typeof config === 'object' && config.name && config.text)
      statements.set(config.name, { name: config.name, text: config.text, values: config.values ?? [] });
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

/** How each statement that the work sends reads the table, by PostgreSQL's own plans over the data as it is. */
export async function readingsOf(
  client: Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const { name, text, values } of await recordStatements(work)) {
    const explained = [
      ['custom', await client.query(`explain (format json) ${text}`, values)],
      ['generic', await client.query(`explain (format json, generic_plan) ${text}`)],
    ] as const;
    for (const [kind, { rows }] of explained) {
      const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
      for (const node of nodesOf(Plan))
        if (node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable')
          readings.push(...indexesOf(node).map((index) => ({ statement: name, kind, index })));
    }
  }
  return readings;
}

import type { Database, SystemStatement } from '@frontdesk/database';
import { Client, escapeLiteral } from 'pg';
import { createDeliveryQueue } from '../../../services/webhooks/src/data/queue.repository.ts';
import { WORK_SESSION_SETTINGS } from '../../../services/webhooks/src/data/session-settings.ts';
import { uniqueTenantId } from '../../support/index.ts';
import { insertBacklog } from './backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';

const WAITING = 3_000;
const WAITING_BEFORE = 500;
const LIMIT = 200;
const LEASE_MS = 60_000;
/** Each row a few times, and not all of them for each. */
const few = { asymmetricMatch: (rows: number) => rows >= LIMIT && rows < 4 * LIMIT };
const outcome = {
  ...{ startedAt: new Date(), durationMs: 12, httpStatus: 200, errorClass: null, responseBody: 'ok' },
  ...{ requestHeaders: {}, responseHeaders: {} },
};
const delivered = { status: 'delivered', delayMs: null, disablesEndpoint: false } as const;
const toRetry = { status: 'pending', delayMs: 30_000, disablesEndpoint: false } as const;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** What EXECUTE takes, which has no parameters; texts here hold no control characters. */
const literalOf = (value: unknown): string => {
  if (value === null) return 'null';
  const items = (values: unknown[]) => values.map((item) => (item === null ? 'null' : JSON.stringify(item)));
  return escapeLiteral(Array.isArray(value) ? `{${items(value).join()}}` : String(value as string | number));
};
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a queue and a log by plans that were made while there was next to nothing in them', () => {
  let world: DeliveryWorld;
  let client: Client;
  let read: { ofQueue: number; ofLog: number }[];
  /** Names of statements that the session has a plan for. */
  let prepared: Set<string>;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    // As the service's own sessions: what they have beside it is in the way of no plan that is good.
    for (const [name, value] of Object.entries({ enable_seqscan: 'off', ...WORK_SESSION_SETTINGS }))
      await client.query(`set ${name} to ${value}`);
    const tenantId = uniqueTenantId();
    const { id: endpointId } = await world.subscribe(tenantId, 'http://127.0.0.1:9');
    prepared = new Set();
    read = [];
    await insertBacklog(client, { tenantId, endpointId, count: WAITING_BEFORE, isAnalysed: false });
    await explainingQueue().claim(request());
    const { claims } = await world.queue(LEASE_MS).claim(request());
    await explainingQueue().record(claims.map((claim) => ({ claim, outcome, verdict: delivered })));
    await client.query('delete from delivery_queue');
    await insertBacklog(client, { tenantId, endpointId, count: WAITING, isAnalysed: false });
    read = [];
  });

  afterEach(async () => {
    await client.end();
    await world.stop();
  });

  /** Runs each statement, by the plan that a session keeps for it, and notes how many rows it has read for that. */
  const explained = async ({ name, text }: SystemStatement<unknown, unknown[]>, ...args: unknown[]) => {
    if (!prepared.has(name)) await client.query(`prepare ${name} as ${text}`);
    prepared.add(name);
    const executed = `execute ${name} (${args.map(literalOf).join()})`;
    const { rows } = await client.query(`explain (analyze, format json) ${executed}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
    const rowsOf = (table: RegExp) =>
      nodes
        .filter((node) => table.test(node['Relation Name'] ?? ''))
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
        .reduce((sum, rows) => sum + rows, 0);
    read.push({ ofQueue: rowsOf(/^delivery_queue$/), ofLog: rowsOf(/^deliveries_[0-9]+$/) });
  };
  const system = {
    many: (...asked: Parameters<typeof explained>) => explained(...asked).then(() => []),
    one: (...asked: Parameters<typeof explained>) => explained(...asked).then(() => ({ recorded: [] })),
  };
  const explainingQueue = () =>
    createDeliveryQueue({
      database: { system } as unknown as Database,
      leaseMs: LEASE_MS,
    });
  const request = () => ({
    ...{ afterEndpointId: 0, limit: LIMIT, owner: world.owner() },
    room: { perEndpoint: WAITING, endpoints: new Map(), tenants: new Map() },
  });

  it('is claimed from without being read whole', async () => {
    await explainingQueue().claim(request());
    expect(read).toEqual([{ ofQueue: few, ofLog: 0 }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(LIMIT);
  });

  it.each([delivered, toRetry])('takes results without being read whole: $status', async (verdict) => {
    await world.queue(LEASE_MS).claim(request());
    const { claims } = await world.queue(LEASE_MS).claim(request());
    expect(claims).toHaveLength(LIMIT);
    await explainingQueue().record(claims.map((claim) => ({ claim, outcome, verdict })));
    // An update is a node of its own beside the one that finds its rows.
    expect(read).toEqual([{ ofQueue: few, ofLog: few }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(LIMIT);
  });
});

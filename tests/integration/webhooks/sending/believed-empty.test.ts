import { randomUUID } from 'node:crypto';
import type { SystemScope, SystemStatement, TenantStatement, TenantTransaction } from '@frontdesk/database';
import { Client, escapeLiteral } from 'pg';
import { requeueDeliveries } from '../../../../services/webhooks/src/queue/delivery-writes.repository.ts';
import { WORK_SESSION_SETTINGS } from '../../../../services/webhooks/src/queue/postgres-settings.rules.ts';
import { listKnownDeliveries } from '../../../../services/webhooks/src/replays/replay-walk.repository.ts';
import { ensurePartitions } from '../../../../services/webhooks/src/retention/partition.repository.ts';
import { uniqueTenantId } from '../../../support/index.ts';
import { insertBacklog } from '../backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { queueOn } from '../queue-on.ts';

const WAITING = 3_000;
const WAITING_BEFORE = 500;
const LIMIT = 200;
const LEASE_MS = 60_000;
/** Each at least once, and no more than a few times: an update is a node of the plan beside the one that finds its rows. */
const few = { asymmetricMatch: (rows: number) => rows >= LIMIT && rows < 4 * LIMIT };
const outcome = {
  startedAt: new Date(),
  durationMs: 12,
  httpStatus: 200,
  errorClass: null,
  responseBody: 'ok',
  requestHeaders: {},
  responseHeaders: {},
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
const eventOf = (id: number, event_id: string) => ({
  id,
  event_id,
  name: 'appointment.created' as const,
  received_at: new Date(),
});
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('plans that were made while there was next to nothing in queue and log', () => {
  let world: DeliveryWorld;
  let client: Client;
  let tenantId: number;
  let endpointId: number;
  let read: { ofQueue: number; ofLog: number; ofEvents: number }[];
  /** Names of statements that the session has a plan for. */
  let prepared: Set<string>;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    // As the sessions of the service's workers.
    for (const [name, value] of Object.entries(WORK_SESSION_SETTINGS))
      await client.query(`set ${name} to ${value}`);
    tenantId = uniqueTenantId();
    ({ id: endpointId } = await world.subscribe(tenantId, 'http://127.0.0.1:9'));
    prepared = new Set();
    read = [];
    // The day's partitions as they are made a week ahead, not by the migrations.
    const { rows } = await client.query('select floor(extract(epoch from now()) / 86400)::integer as day');
    await client.query(`drop table events_${rows[0].day}, deliveries_${rows[0].day}`);
    await ensurePartitions(world.database.system);
    await client.query('analyze delivery_queue, deliveries, events');
    await explainingQueue().claim(request());
    await explainingQueue().returnLeases([{ id: 1, lease_token: randomUUID() }]);
    await explainingQueue().freeLost();
    await requeueDeliveries(explainingTransaction(), endpointId, [1]);
    await listKnownDeliveries(explainingTransaction(), endpointId, [eventOf(1, randomUUID())]);
    await insertBacklog(client, { tenantId, endpointId, count: WAITING_BEFORE, isAnalysed: false });
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
  const explained = async (
    { name, text, names }: SystemStatement<unknown, object> | TenantStatement<unknown, object>,
    given: object = {},
  ) => {
    const values: Record<string, unknown> = { tenantId, ...given };
    const args = names.map((parameter) => values[parameter]);
    if (!prepared.has(name)) await client.query(`prepare ${name} as ${text}`);
    prepared.add(name);
    const executed = `execute ${name} ${args.length > 0 ? `(${args.map(literalOf).join()})` : ''}`;
    const { rows } = await client.query(`explain (analyze, format json) ${executed}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
    const rowsOf = (table: RegExp) =>
      nodes
        .filter((node) => table.test(node['Relation Name'] ?? ''))
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
        .reduce((sum, rows) => sum + rows, 0);
    read.push({
      ofQueue: rowsOf(/^delivery_queue$/),
      ofLog: rowsOf(/^deliveries_[0-9]+$/),
      ofEvents: rowsOf(/^events_[0-9]+$/),
    });
  };
  const explaining = {
    many: (...asked: Parameters<typeof explained>) => explained(...asked).then(() => []),
    one: (...asked: Parameters<typeof explained>) => explained(...asked).then(() => ({ recorded: [] })),
    run: (...asked: Parameters<typeof explained>) => explained(...asked).then(() => 0),
  };
  const explainingQueue = () => queueOn(explaining as unknown as SystemScope, LEASE_MS);
  const explainingTransaction = () => explaining as unknown as TenantTransaction;
  const request = () => ({
    fromTenantId: 1,
    limit: LIMIT,
    owner: world.owner(),
    turns: new Map(),
    limits: {
      perTenant: 500,
      perEndpoint: WAITING,
      endpoints: new Map(),
      tenants: new Map(),
      full: new Set<number>(),
    },
  });

  it('take for a claim about what it brings, one event for each, and nothing of the log', async () => {
    await explainingQueue().claim(request());
    expect(read).toEqual([{ ofQueue: few, ofLog: 0, ofEvents: LIMIT }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(LIMIT);
  });

  it('pass over the deliveries of a suspended tenant, however many they are', async () => {
    await client.query('update endpoints set is_suspended = true where id = $1', [endpointId]);
    const other = uniqueTenantId();
    const { id } = await world.subscribe(other, 'http://127.0.0.1:9');
    await insertBacklog(client, { tenantId: other, endpointId: id, count: LIMIT, isAnalysed: false });
    await explainingQueue().claim(request());
    await explainingQueue().oldestDueSeconds();
    expect(read).toEqual([
      { ofQueue: few, ofLog: 0, ofEvents: LIMIT },
      { ofQueue: expect.any(Number), ofLog: 0, ofEvents: 0 },
    ]);
    expect(read[1]?.ofQueue).toBeLessThan(10);
    const { rows } = await client.query(
      'select distinct tenant_id::float8 from delivery_queue where lease_token is not null',
    );
    expect(rows).toEqual([{ tenant_id: other }]);
  });

  it.each([delivered, toRetry])('take a few rows for each result: $status', async (verdict) => {
    await world.queue(LEASE_MS).claim(request());
    const { claims } = await world.queue(LEASE_MS).claim(request());
    expect(claims).toHaveLength(LIMIT);
    await explainingQueue().record(claims.map((claim) => ({ claim, outcome, verdict })));
    expect(read).toEqual([{ ofQueue: few, ofLog: few, ofEvents: 0 }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(LIMIT);
  });

  it('take a few rows for each lease that is given back', async () => {
    const { claims } = await world.queue(LEASE_MS).claim(request());
    await explainingQueue().returnLeases(claims);
    expect(read).toEqual([{ ofQueue: few, ofLog: 0, ofEvents: 0 }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(0);
  });

  it('take what is leased, to look for what was lost', async () => {
    await world.queue(0).claim(request());
    await explainingQueue().freeLost();
    expect(read).toEqual([{ ofQueue: few, ofLog: 0, ofEvents: 0 }]);
    const { rows } = await client.query('select from delivery_queue where lease_token is not null');
    expect(rows).toHaveLength(0);
  });

  it('take a few rows for each delivery that is sent again', async () => {
    const { claims } = await world.queue(LEASE_MS).claim(request());
    await world.queue(LEASE_MS).record(claims.map((claim) => ({ claim, outcome, verdict: delivered })));
    await requeueDeliveries(
      explainingTransaction(),
      endpointId,
      claims.map(({ id }) => id),
    );
    expect(read).toEqual([{ ofQueue: expect.any(Number), ofLog: few, ofEvents: 0 }]);
    expect(read[0]?.ofQueue).toBeLessThan(4 * LIMIT);
    const { rows } = await client.query('select from delivery_queue');
    expect(rows).toHaveLength(WAITING);
  });

  it('take a few rows for each event that is replayed', async () => {
    const { rows } = await client.query<{ id: string; event_id: string }>(
      'select id, event_id from events where tenant_id = $1 order by id desc limit $2',
      [tenantId, LIMIT],
    );
    const events = rows.map(({ id, event_id }) => eventOf(Number(id), event_id));
    await listKnownDeliveries(explainingTransaction(), endpointId, events);
    expect(read).toEqual([{ ofQueue: 0, ofLog: LIMIT, ofEvents: few }]);
  });
});

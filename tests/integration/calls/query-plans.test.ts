import { Client } from 'pg';
import { rewriteCalls } from '../../../services/calls/src/calls/call.repository.ts';
import { expectIndexes } from '../../support/expect-indexes.ts';
import { eventually } from '../../support/index.ts';
import { recordStatements } from '../../support/plans.ts';
import { type CallsWorld, startCalls } from './calls-world.ts';
import { loadCalls, loadMessages } from './many-calls.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

const LARGE = 1;
const LARGE_CALLS = 50_000;
const SMALL_TENANTS = [2, 3, 4, 5, 6];
const PER_PAGE = 20;
const TABLES = ['calls', 'call_messages', 'call_patches', 'call_transcripts', 'customer_numbers'];

const SINGLE: Record<string, string>[] = [
  {},
  { sentiment: 'negative' },
  { outcome: 'failed' },
  { missed: 'true' },
  { missed: 'false' },
  { direction: 'outbound' },
  { customer_id: '7' },
  { from_date: '2020-01-01' },
  { to_date: '2025-12-31' },
  { from_date: '2025-01-01', to_date: '2025-12-31' },
];
/** Of the internal list alone. */
const OF_ADMINS: Record<string, string>[] = [{ source_id: 'rare' }, { appointment_id: '7' }];
const TOGETHER: Record<string, string>[] = [
  { sentiment: 'negative', missed: 'true' },
  { outcome: 'failed', direction: 'outbound' },
  { outcome: 'booked', missed: 'true', sentiment: 'positive' },
  { customer_id: '7', missed: 'true', from_date: '2020-01-01' },
  { sentiment: 'negative', from_date: '2025-01-01', to_date: '2025-06-30' },
  { sentiment: 'negative', outcome: 'failed', missed: 'true', direction: 'inbound', customer_id: '8' },
];
const SORTS = ['started_at', '-started_at', 'updated_at', '-updated_at'];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

let calls: CallsWorld;
let client: Client;
let rareSource: number;

beforeAll(async () => {
  calls = await startCalls({ workers: [] });
  for (const id of [LARGE, ...SMALL_TENANTS]) calls.newTenant({ id });
  client = new Client({ connectionString: calls.config.DATABASE_URL });
  await client.connect();
  await loadCalls(client, LARGE, LARGE_CALLS);
  for (const tenant of SMALL_TENANTS) await loadCalls(client, tenant, 2_000);
  await loadMessages(client, 2_000);
  rareSource = (await calls.newSource(LARGE)).id;
  const isRare = 'update calls set source_id = $2 where tenant_id = $1 and id % 1000 = 0';
  await client.query(isRare, [LARGE, rareSource]);
  const isDone = `update calls set called_back_at = now(), called_back_by = 'mia@salon.example'`;
  await client.query(`${isDone} where tenant_id = $1 and is_missed and id % 200 > 0`, [LARGE]);
  // Most are from before appointments were checked.
  const isStated =
    'update calls set appointment_id = id, appointment_due_at = $1, untold_appointment_id = case when id % 50 = 0 then id end';
  await client.query('update calls set booked_appointment_id = id where id % 4 = 0');
  await client.query(`${isStated} where id % 3 = 0`, [new Date(Date.now() + 86_400_000)]);
  // Of all rows, not of a sample: no plan may change by chance.
  await client.query('set default_statistics_target = 1000');
  await client.query('vacuum analyze');
});

afterAll(async () => {
  await client.end();
  await calls.stop();
});

const list = async (query: Record<string, string>) => {
  const answer = await calls.list(LARGE, query);
  expect([query, answer.success]).toEqual([query, true]);
  return answer;
};

const adminList = async (query: Record<string, string>) => {
  const asked = { ...query, ...(query.source_id && { source_id: String(rareSource) }) };
  const path = `/internal/tenants/${LARGE}/calls?${new URLSearchParams(asked)}`;
  expect([query, (await calls.admin('GET', path)).status]).toEqual([query, 200]);
};

it('an index stands behind every list, single view, and whatever the workers look for', async () => {
  const work = async () => {
    for (const query of [...SINGLE, ...TOGETHER]) {
      const { meta } = await list(query);
      if (meta.next_cursor) await list({ ...query, cursor: meta.next_cursor });
      await list({ ...query, updated_since: '2026-01-01T00:00:00Z' });
      for (const sort of SORTS) await list({ ...query, sort });
    }
    for (const query of OF_ADMINS) await adminList(query);
    const [{ id }] = (await list({})).data;
    expect(await calls.callOf(LARGE, id)).toMatchObject({ transcript: [{ text: 'Hello' }] });
    for (const query of ['', '?status=unreadable', '?status=received', '?source_id=1', '?id=7'])
      await calls.messages(LARGE, query);
    await calls.admin('GET', `/internal/tenants/${LARGE}/statistics/calls`);
    await calls.admin('GET', `/internal/tenants/${LARGE}/call-backs?days=14&open=50&done=10`);
    const marked = `/internal/tenants/${LARGE}/calls/${id}/called-back`;
    await calls.admin('PUT', marked, { by: 'mia@salon.example' });
    await calls.admin('DELETE', marked);
    const booked = `/internal/tenants/${LARGE}/calls/${id}/appointment`;
    expect((await calls.admin('PUT', booked, { appointment_id: 7 })).status).toBe(200);
    await calls.database.forTenant(LARGE).transaction((tx) => rewriteCalls(tx, { id: 998, mergedInto: 999 }));
    const source = await calls.newSource(LARGE);
    const ofAll = ['announcer', 'appointment linker', 'call linker', 'message reader', 'retention'];
    const workers = await calls.startAnother(ofAll);
    expect((await calls.ingest(source, genericMessage(genericCall(), source))).status).toBe(202);
    await calls.settled(LARGE);
    // Until its customer is asked for: a stop ends a look for what is due.
    await eventually(async () => expect(await calls.eventTypes(LARGE)).toContain('call.ended'));
    await workers.stop();
  };
  const sent = [
    'calls_-started_at',
    'calls_count_from',
    'calls_find',
    'call_backs_open',
    'call_backs_done',
    'call_backs_mark',
    'call_backs_unmark',
    'calls_find_to_announce',
    'calls_find_to_link',
    'calls_find_to_check_appointment',
    'calls_find_to_check_told_appointment',
    'messages_find_due',
    'messages_settle',
    'calls_lock',
    'calls_rewrite_customer',
    'numbers_find',
  ];
  await expectIndexes(client, { tables: TABLES, sent }, work);
});

it.each([
  ...SINGLE.map((query) => [query, list] as const),
  ...OF_ADMINS.map((query) => [query, adminList] as const),
])('the first page reads little more than it shows: %j', async (query, read) => {
  const [page] = (await recordStatements(() => read(query))).filter(({ text }) => text.includes('limit'));
  const { rows } = await client.query(`explain (analyze, format json) ${page?.text}`, page?.values);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  for (const node of nodes.filter((one) => one['Relation Name'] === 'calls')) {
    expect(node['Actual Rows']).toBeLessThanOrEqual(PER_PAGE + 1);
    expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
  }
});

it('a list never touches transcripts, nor what only the single view shows', async () => {
  const work = async () => {
    for (const query of [...SINGLE, ...TOGETHER]) await list(query);
  };
  const statements = await recordStatements(work);
  expect(statements.length).toBeGreaterThan(SINGLE.length);
  for (const { name, text } of statements)
    expect([
      name,
      /transcript|utterances|summary|select \*(?! from calls where is_complete\) calls)/.test(text),
    ]).toEqual([name, false]);
});

import { systemSql } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import { REWRITTEN_TOGETHER } from '@frontdesk/wiring';
import { Client } from 'pg';
import {
  eventOf,
  eventually,
  IN_OWN_DATABASE,
  kafkaClient,
  logger,
  recordOf,
  removeTopics,
  sampleCustomer,
} from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall, newCallId } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const [LOST, KEPT] = [71, 72];
const [NUMBER, KEPT_NUMBER, OTHER] = ['+493023125001', '+493023125002', '+493023125003'];

const numbersOf = systemSql<{ e164: string; customer_id: number }, { tenantId: number }>(
  'test_numbers',
  'select e164, customer_id from customer_numbers where tenant_id = $tenantId order by e164',
);
const mergesOf = systemSql<{ id: number; merged_into: number; is_looked_for: boolean }, { tenantId: number }>(
  'test_merges',
  `select id, merged_into, rewrite_due_at > now() as is_looked_for from merged_customers where tenant_id = $tenantId order by id`,
);
const makeDue = systemSql<never>(
  'test_make_rewrites_due',
  'update merged_customers set rewrite_due_at = now() where rewrite_due_at is not null',
);
const waiting = systemSql<{ tables: number; rows: number }>(
  'test_waiting',
  `select count(*) filter (where locktype = 'relation') as tables, count(*) filter (where locktype = 'transactionid') as rows
   from pg_locks where not granted and (database is null or ${IN_OWN_DATABASE})`,
);
const storedCalls = systemSql<{ customer_id: number; version: number; rows: number }, { tenantId: number }>(
  'test_stored_calls',
  'select customer_id, version, count(*) as rows from calls where tenant_id = $tenantId group by 1, 2',
);

let calls: CallsWorld;
let publisher: ReturnType<typeof createPublisher>;
let client: Client;
let tenant: number;
let source: Source;

beforeAll(async () => {
  calls = await startCalls({ isWhole: true });
  publisher = createPublisher({ kafka: kafkaClient(calls.config.KAFKA_PREFIX), logger });
  await publisher.start();
  await eventually(async () => {
    const { statusCode } = await calls.service.internal.inject({ method: 'GET', url: '/health/ready' });
    expect(statusCode).toBe(200);
  });
  client = new Client({ connectionString: calls.config.DATABASE_URL });
  await client.connect();
});
beforeEach(async () => {
  calls.crm.set('up');
  tenant = calls.newTenant();
  source = await calls.newSource(tenant);
});
afterAll(async () => {
  await client.end();
  await publisher.stop();
  await calls.stop();
  await removeTopics(calls.config.KAFKA_PREFIX);
});

const customer = (id: number, phone: string, version = 1, of = tenant) =>
  recordOf(eventOf('customer.updated', of, sampleCustomer({ id, phone }), version));
const merged = (id: number, phone: string, merged_into = KEPT, of = tenant) => {
  const data = { id, merged_into, phone, merged_at: '2026-03-02T09:00:00Z' };
  return recordOf(eventOf('customer.merged', of, data, 9));
};
const publish = (...records: ReturnType<typeof recordOf>[]) => publisher.publish(records);

/** A call that is taken in and linked. @returns its id */
async function called(fields: object = {}, from = source): Promise<number> {
  const call = genericCall({ ...fields });
  expect((await calls.ingest(from, genericMessage(call, from))).status).toBe(202);
  await calls.settled(from.tenantId);
  const { data } = await calls.list(from.tenantId, { per_page: '100', sort: '-updated_at' });
  return Math.max(...data.map(({ id }: { id: number }) => id));
}

const shown = async (id: number, of = tenant) => {
  const { body, headers } = await calls.api(of, 'GET', `/api/v1/calls/${id}`);
  return { ...body.data, etag: headers.etag };
};
const customerOf = async (id: number) => (await shown(id)).customer_id;
const belongs = (id: number, to: number) => eventually(async () => expect(await customerOf(id)).toBe(to));
const numbers = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await calls.database.system.many(numbersOf, { tenantId: tenant })).map((row) => [
      row.e164,
      row.customer_id,
    ]),
  );
const learned = (expected: Record<string, number>) =>
  eventually(async () => expect(await numbers()).toEqual(expected));
const merges = () => calls.database.system.many(mergesOf, { tenantId: tenant });
const asked = () => calls.crm.asked.filter(({ tenantId }) => tenantId === tenant);

describe('calls of a customer who became part of another one', () => {
  it('name that one, under a new version, ETag and updated_at; their next call.updated is the first to say so', async () => {
    const other = calls.newTenant();
    const theirs = await calls.newSource(other);
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER), customer(LOST, NUMBER, 1, other));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    const provider_call_id = newCallId();
    const id = await called({ provider_call_id });
    const own = await called({ from_number: KEPT_NUMBER });
    const foreign = await called({}, theirs);
    await eventually(async () => expect((await shown(foreign, other)).customer_id).toBe(LOST));
    const [before, ownBefore, foreignBefore] = [
      await shown(id),
      await shown(own),
      await shown(foreign, other),
    ];
    await publish(merged(LOST, NUMBER));
    await belongs(id, KEPT);

    const after = await shown(id);
    expect(after).toEqual({ ...before, customer_id: KEPT, updated_at: after.updated_at, etag: after.etag });
    expect(after.etag).not.toBe(before.etag);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await shown(own)).toEqual(ownBefore);
    expect(await shown(foreign, other)).toEqual(foreignBefore);
    expect((await calls.list(tenant, { customer_id: String(KEPT) })).meta.total).toBe(2);
    expect((await calls.list(tenant, { customer_id: String(LOST) })).meta.total).toBe(0);
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended', 'call.ended']);

    await called({ provider_call_id, quality_score: 80 });
    await eventually(async () =>
      expect((await calls.events(tenant)).at(-1)).toMatchObject({
        type: 'call.updated',
        aggregate_version: 3,
        data: { id, customer_id: KEPT },
      }),
    );
  });

  it('are all rewritten, each once, however many there are', async () => {
    await publish(customer(LOST, NUMBER));
    await learned({ [NUMBER]: LOST });
    const id = await called();
    const count = 2 * REWRITTEN_TOGETHER + 1;
    await client.query(
      `insert into calls (tenant_id, source_id, id_space, provider, provider_call_id, end_told_at, is_complete, is_settled, direction,
         from_number, to_number, customer_number, customer_id, started_at, ended_at, duration_seconds, is_missed, outcome, is_announced,
         version)
       select tenant_id, source_id, id_space, provider, 'copy ' || n, end_told_at, is_complete, is_settled, direction,
         from_number, to_number, customer_number, customer_id, started_at, ended_at, duration_seconds, is_missed, outcome, is_announced,
         version
       from calls cross join generate_series(1, $3::integer) n where tenant_id = $1 and id = $2`,
      [tenant, id, count - 1],
    );
    await publish(merged(LOST, NUMBER));
    await eventually(async () =>
      expect(await calls.database.system.many(storedCalls, { tenantId: tenant })).toEqual([
        { customer_id: KEPT, version: 2, rows: count },
      ]),
    );
  });

  it('name that one once a message is done that was being applied meanwhile', async () => {
    await publish(customer(LOST, NUMBER));
    await learned({ [NUMBER]: LOST });
    const provider_call_id = newCallId();
    const id = await called({ provider_call_id });
    // The message has its call locked, and has looked for its customer.
    await client.query('begin');
    await client.query('lock table call_transcripts in access exclusive mode');
    const transcript = [{ role: 'agent', text: 'Hello' }];
    const more = genericMessage(genericCall({ provider_call_id, transcript }), source);
    await calls.ingest(source, more);
    await eventually(async () => expect((await calls.database.system.one(waiting)).tables).toBe(1));
    await publish(merged(LOST, NUMBER));
    await eventually(async () => expect((await calls.database.system.one(waiting)).rows).toBe(1));
    await client.query('rollback');
    await belongs(id, KEPT);
    expect((await shown(id)).transcript).toMatchObject(transcript);
    await eventually(async () =>
      expect((await calls.events(tenant)).at(-1)).toMatchObject({
        type: 'call.updated',
        aggregate_version: 3,
        data: { id, customer_id: KEPT },
      }),
    );
  });

  it('are found although they were linked by crm’s word from before the merge', async () => {
    const lost = calls.crm.addCustomer(tenant, OTHER);
    calls.crm.set('hanging');
    expect(
      (await calls.ingest(source, genericMessage(genericCall({ from_number: OTHER }), source))).status,
    ).toBe(202);
    await eventually(async () => expect(asked()).toHaveLength(1));
    await publish(merged(lost, NUMBER));
    await learned({ [NUMBER]: lost });
    calls.crm.set('up');
    await calls.settled(tenant);
    expect((await calls.list(tenant)).data).toMatchObject([{ customer_id: KEPT }]);
    expect((await calls.events(tenant)).map(({ data }) => data.customer_id)).toEqual([KEPT]);
  });

  /** A call that names the customer who is gone, as a transaction leaves it that had looked for them before the merge. */
  async function leftBehind(provider_call_id: string): Promise<number> {
    await publish(customer(LOST, NUMBER), merged(LOST, NUMBER));
    await eventually(async () => expect(await merges()).toMatchObject([{ is_looked_for: true }]));
    const id = await called({ provider_call_id });
    await client.query('update calls set customer_id = $2 where tenant_id = $1', [tenant, LOST]);
    return id;
  }

  it('are found by a later look, where they were linked while the merge came in', async () => {
    const id = await leftBehind(newCallId());
    await calls.database.system.run(makeDue);
    await belongs(id, KEPT);
  });

  it('name that one from their next change on, though they have not been found yet', async () => {
    const provider_call_id = newCallId();
    const id = await leftBehind(provider_call_id);
    await called({ provider_call_id, quality_score: 80 });
    expect(await shown(id)).toMatchObject({ customer_id: KEPT, quality_score: 80 });
    expect(await calls.database.system.many(storedCalls, { tenantId: tenant })).toEqual([
      { customer_id: KEPT, version: 2, rows: 1 },
    ]);
  });
});

describe('a number of a customer who became part of another one', () => {
  it('leads to that one, as that one’s own does', async () => {
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    await publish(merged(LOST, NUMBER));
    await eventually(async () => expect(await merges()).toHaveLength(1));
    const ids = [await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([KEPT, KEPT]);
    expect((await calls.events(tenant)).map(({ data }) => data.customer_id)).toEqual([KEPT, KEPT]);
    const test = await calls.admin(
      'POST',
      `/internal/tenants/${tenant}/call-sources/${source.id}/test-call`,
      {
        from_number: NUMBER,
      },
    );
    expect(test.body.data).toMatchObject({ customer: 'known', customer_id: KEPT });
    expect(asked()).toEqual([]);
  });

  const swapped = () => [merged(LOST, KEPT_NUMBER), customer(KEPT, NUMBER, 5)];
  it.each([
    ['the merge first', swapped],
    ['the other’s event first', () => swapped().reverse()],
    ['each twice', () => [...swapped(), ...swapped()]],
    [
      'with old events behind them',
      () => [...swapped(), customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER)],
    ],
  ])('leads there also where they have changed numbers: %s', async (_order, events) => {
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    for (const event of events()) await publish(event);
    await learned({ [NUMBER]: KEPT, [KEPT_NUMBER]: LOST });
    // Events of one key are applied in order: behind these the others are done with.
    await publish(
      { ...customer(91, '+493023125011'), key: merged(LOST, NUMBER).key },
      { ...customer(92, '+493023125012'), key: customer(KEPT, NUMBER).key },
    );
    await eventually(async () => expect(Object.keys(await numbers())).toHaveLength(4));
    expect(await numbers()).toMatchObject({ [NUMBER]: KEPT, [KEPT_NUMBER]: LOST });
    const ids = [await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([KEPT, KEPT]);
  });

  it('that crm’s word brought leads there too, before and after events of either', async () => {
    // Both numbers are the other’s to crm; no event has come.
    const kept = calls.crm.addCustomer(tenant, NUMBER);
    const id = await called();
    expect(await numbers()).toEqual({ [NUMBER]: kept });
    await publish(merged(LOST, NUMBER, kept));
    await learned({ [NUMBER]: LOST });
    await publish(customer(kept, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: kept });
    const ids = [id, await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([kept, kept, kept]);
    expect(asked()).toHaveLength(1);
  });

  it('links the calls that came before it was known', async () => {
    const id = await called();
    expect(await customerOf(id)).toBeNull();
    await publish(merged(LOST, NUMBER));
    await belongs(id, KEPT);
  });
});

it('of a chain of merges all calls and numbers lead to its end, in whatever order and at once', async () => {
  const phones = ['+493023125021', '+493023125022', '+493023125023', '+493023125024'];
  const [first, second, third, last] = [81, 82, 83, 84];
  const chain = [
    () => merged(first, phones[0] as string, second),
    () => merged(second, phones[1] as string, third),
    () => merged(third, phones[2] as string, last),
  ] as const;
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], null]) {
    tenant = calls.newTenant();
    source = await calls.newSource(tenant);
    await publish(...phones.map((phone, nth) => customer(first + nth, phone)));
    await eventually(async () => expect(Object.keys(await numbers())).toHaveLength(4));
    const ids: number[] = [];
    for (const from_number of phones) ids.push(await called({ from_number }));
    if (order === null) await publish(...chain.map((event) => event()));
    else for (const nth of order) await publish((chain[nth] as () => ReturnType<typeof merged>)());
    for (const id of ids) await belongs(id, last);
    expect((await merges()).map(({ merged_into }) => merged_into)).toEqual([last, last, last]);
    const later = [];
    for (const from_number of phones) later.push(await customerOf(await called({ from_number })));
    expect(later).toEqual([last, last, last, last]);
  }
});

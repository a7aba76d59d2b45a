import { systemSql } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import {
  eventOf,
  eventually,
  kafkaClient,
  logger,
  recordOf,
  removeTopics,
  sampleCustomer,
} from '../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from './calls-world.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

const countNumbers = systemSql<{ count: number }, [tenantId: number]>(
  'test_count_numbers',
  'select count(*) as count from customer_numbers where tenant_id = $1',
);

const NUMBER = '+493023125001';

describe('the customer of a call', () => {
  let calls: CallsWorld;
  let publisher: ReturnType<typeof createPublisher>;
  let tenant: number;
  let source: Source;
  beforeAll(async () => {
    calls = await startCalls({ isWhole: true });
    publisher = createPublisher({ kafka: kafkaClient(calls.config.KAFKA_PREFIX), logger });
    await publisher.start();
    await eventually(async () => {
      const answer = await calls.service.internal.inject({ method: 'GET', url: '/health/ready' });
      expect(answer.json()).toEqual({ status: 'ready' });
    });
  });
  beforeEach(async () => {
    calls.crm.set('up');
    tenant = calls.newTenant();
    source = await calls.newSource(tenant);
  });
  afterAll(async () => {
    await publisher.stop();
    await calls.stop();
    await removeTopics(calls.config.KAFKA_PREFIX);
  });

  const customerCreated = (id: number, phone: string, tenantId = tenant) =>
    publisher.publish([recordOf(eventOf('customer.created', tenantId, sampleCustomer({ id, phone })))]);
  const ingest = async (fields: object = {}, to = source) => {
    expect((await calls.ingest(to, genericMessage(genericCall({ ...fields }), to))).status).toBe(202);
    await calls.settled(to.tenantId);
  };
  const asked = () => calls.crm.asked.filter(({ tenantId }) => tenantId === tenant);
  const customerIds = async () =>
    (await calls.list(tenant)).data.map(({ customer_id }: { customer_id: number }) => customer_id);
  const linkedEventually = (ids: (number | null)[]) =>
    eventually(async () => expect(await customerIds()).toEqual(ids));
  const told = async () =>
    (await calls.events(tenant)).map(({ type, aggregate_version, data }) => [
      type,
      aggregate_version,
      data.customer_id,
    ]);

  const knownNumbers = async () => (await calls.database.system.one(countNumbers, tenant)).count;

  it('is known from its event: by the number in whatever way it is written in the business’s country', async () => {
    await customerCreated(71, '030 23125-001');
    await eventually(async () => {
      await ingest();
      expect((await customerIds())[0]).toBe(71);
    });
    expect((await calls.events(tenant)).at(-1)).toMatchObject({
      type: 'call.ended',
      data: { customer_id: 71 },
    });
    await ingest({
      from_number: '030 23125 001',
      ended_at: '2026-03-02T11:02:00Z',
      started_at: '2026-03-02T11:00:00Z',
    });
    expect((await customerIds())[0]).toBe(71);
  });

  it('is linked when they appear after the call, which then is call.updated', async () => {
    await ingest();
    expect(await told()).toEqual([['call.ended', 1, null]]);
    await customerCreated(72, NUMBER);
    await linkedEventually([72]);
    await eventually(async () =>
      expect(await told()).toEqual([
        ['call.ended', 1, null],
        ['call.updated', 2, 72],
      ]),
    );
    await customerCreated(72, NUMBER);
    await customerCreated(73, '+493023125003');
    await eventually(async () => expect(await knownNumbers()).toBe(2));
    expect(await told()).toHaveLength(2);
  });

  it('is asked of crm where no event has told of them, once for each number', async () => {
    const id = calls.crm.addCustomer(tenant, NUMBER);
    await ingest();
    await ingest({ ended_at: '2026-03-02T10:03:00Z' });
    expect(await customerIds()).toEqual([id, id]);
    expect((await told()).map(([type, , customer]) => [type, customer])).toEqual([
      ['call.ended', id],
      ['call.ended', id],
    ]);
    expect(asked()).toEqual([{ tenantId: tenant, phone: NUMBER, create: false }]);
  });

  it('of an outbound call is the one who was called', async () => {
    const id = calls.crm.addCustomer(tenant, '+493023125007');
    await ingest({ direction: 'outbound', from_number: NUMBER, to_number: '+493023125007' });
    expect(await customerIds()).toEqual([id]);
  });

  it('is no lead for having been called', async () => {
    const leads = await calls.newSource(tenant, 'generic', { settings: { creates_leads: true } });
    await ingest({ direction: 'outbound', outcome: 'no_answer', to_number: '+493023125008' }, leads);
    expect(asked()).toEqual([{ tenantId: tenant, phone: '+493023125008', create: false }]);
    expect(await customerIds()).toEqual([null]);
  });

  it('is waited for by nothing but the end of their own call, for a moment', async () => {
    calls.crm.set('slow');
    const numbers = Array.from({ length: 20 }, (_, n) => `+4930231253${10 + n}`);
    for (const from_number of numbers)
      await calls.ingest(source, genericMessage(genericCall({ from_number }), source));
    const other = await calls.newSource(calls.newTenant());
    await calls.ingest(other, genericMessage(genericCall({ from_number: null }), other));
    const soon = { timeoutMs: 5_000 };
    await eventually(
      async () => expect(await calls.eventTypes(other.tenantId)).toEqual(['call.ended']),
      soon,
    );
    await eventually(async () => expect((await calls.eventTypes(tenant)).length).toBe(20), soon);
    expect(asked().length).toBeLessThan(10);
  });

  it('becomes a lead where the source says so', async () => {
    const settings = { creates_leads: true };
    const leads = await calls.newSource(tenant, 'generic', { settings });
    await ingest({}, leads);
    expect(await customerIds()).toEqual([expect.any(Number)]);
    expect(asked()).toEqual([{ tenantId: tenant, phone: NUMBER, create: true }]);
  });

  it.each([null, 'anonymous', 'sip:anna@example.com', '12', '+266696687'])(
    'is nobody where the number is %s',
    async (from_number) => {
      const settings = { creates_leads: true };
      const leads = await calls.newSource(tenant, 'generic', { settings });
      await ingest({ from_number }, leads);
      expect(await customerIds()).toEqual([null]);
      expect(asked()).toEqual([]);
    },
  );

  it.each(['away', 'hanging'] as const)(
    'is asked for again once crm is back: calls come in all the same while it is %s',
    async (mode) => {
      const id = calls.crm.addCustomer(tenant, NUMBER);
      calls.crm.set(mode);
      await Promise.all([1, 2, 3, 4].map((hour) => ingest({ ended_at: `2026-03-02T1${hour}:00:00Z` })));
      expect(await customerIds()).toEqual([null, null, null, null]);
      await eventually(async () =>
        expect(await calls.eventTypes(tenant)).toEqual(Array(4).fill('call.ended')),
      );
      calls.crm.set('up');
      await eventually(async () => expect(await customerIds()).toEqual([id, id, id, id]));
      await eventually(async () =>
        expect((await calls.eventTypes(tenant)).slice(4)).toEqual(Array(4).fill('call.updated')),
      );
    },
  );

  it('is found by every call that races with their appearing', async () => {
    const numbers = Array.from({ length: 30 }, (_, n) => `+4930231252${10 + n}`);
    await Promise.all(
      numbers.flatMap((from_number, n) => [
        calls.ingest(source, genericMessage(genericCall({ from_number }), source)),
        calls.ingest(source, genericMessage(genericCall({ from_number }), source)),
        customerCreated(200 + n, from_number),
      ]),
    );
    await calls.settled(tenant);
    await eventually(async () => {
      const { data } = await calls.list(tenant, { per_page: '100' });
      const wrong = data.filter(
        (call: { from_number: string; customer_id: number }) =>
          call.customer_id !== 200 + numbers.indexOf(call.from_number),
      );
      expect([data.length, wrong]).toEqual([60, []]);
    });
  });

  it('is the business’s own: another’s customer with the number is nobody here', async () => {
    const other = calls.newTenant();
    const theirs = await calls.newSource(other);
    await customerCreated(74, NUMBER, other);
    await eventually(async () => {
      await ingest({}, theirs);
      expect((await calls.list(other)).data[0].customer_id).toBe(74);
    });
    await ingest();
    expect(await customerIds()).toEqual([null]);
  });
});

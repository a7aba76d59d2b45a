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
} from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const countNumbers = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_numbers',
  'select count(*) as count from customer_numbers where tenant_id = $tenantId',
);

const numbersOf = systemSql<{ e164: string }, { tenantId: number; id: number }>(
  'test_numbers_of',
  'select e164 from customer_numbers where tenant_id = $tenantId and customer_id = $id order by e164',
);

const countDue = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_due',
  'select count(*) as count from calls where tenant_id = $tenantId and (announce_at is not null or link_due_at is not null)',
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

  const customerEvent = (id: number, phone: string, tenantId = tenant) =>
    recordOf(eventOf('customer.created', tenantId, sampleCustomer({ id, phone })));
  const customerCreated = (id: number, phone: string, tenantId = tenant) =>
    publisher.publish([customerEvent(id, phone, tenantId)]);
  const ingest = async (fields: object = {}, to = source) => {
    expect((await calls.ingest(to, genericMessage(genericCall({ ...fields }), to))).status).toBe(202);
    await calls.settled(to.tenantId);
  };
  const asked = () => calls.crm.asked.filter(({ tenantId }) => tenantId === tenant);
  const customerIds = async () =>
    (await calls.list(tenant)).data.map(({ customer_id }: { customer_id: number }) => customer_id);
  const linkedEventually = (ids: (number | null)[]) =>
    eventually(async () => expect(await customerIds()).toEqual(ids));
  const announced = async () =>
    (await calls.events(tenant)).map(({ type, aggregate_version, data }) => [
      type,
      aggregate_version,
      data.customer_id,
    ]);

  const learned = (count: number, tenantId = tenant) =>
    eventually(async () =>
      expect(await calls.database.system.one(countNumbers, { tenantId })).toEqual({ count }),
    );

  it('is known from its event: by the number in whatever way it is written in the business’s country', async () => {
    await customerCreated(71, '030 23125-001');
    await learned(1);
    await ingest();
    expect(await announced()).toEqual([['call.ended', 1, 71]]);
    await ingest({
      from_number: '030 23125 001',
      ended_at: '2026-03-02T11:02:00Z',
      started_at: '2026-03-02T11:00:00Z',
    });
    expect(await customerIds()).toEqual([71, 71]);
    expect(asked()).toEqual([]);
  });

  it('is linked when they appear after the call, which then is call.updated', async () => {
    await ingest();
    expect(await announced()).toEqual([['call.ended', 1, null]]);
    await customerCreated(72, NUMBER);
    await linkedEventually([72]);
    await eventually(async () =>
      expect(await announced()).toEqual([
        ['call.ended', 1, null],
        ['call.updated', 2, 72],
      ]),
    );
    // Once more, which changes nothing. Events of one key are applied in order: behind the third the first is done with.
    await customerCreated(72, NUMBER);
    const { key } = customerEvent(72, NUMBER);
    await publisher.publish([{ ...customerEvent(73, '+493023125003'), key }]);
    await learned(2);
    await publisher.publish([{ ...customerEvent(74, '+493023125004'), key }]);
    await learned(3);
    expect(await calls.database.system.one(countDue, { tenantId: tenant })).toEqual({ count: 0 });
    expect(await announced()).toHaveLength(2);
  });

  const customerUpdated = (id: number, phone: string, version: number) =>
    publisher.publish([
      recordOf({
        ...eventOf('customer.updated', tenant, sampleCustomer({ id, phone })),
        aggregate_version: version,
      }),
    ]);
  const numberOf = async (id: number) =>
    (await calls.database.system.many(numbersOf, { tenantId: tenant, id })).map(({ e164 }) => e164);

  it('is found by the number that they have now, and no longer by the one before; calls stay linked', async () => {
    const [old, now] = [NUMBER, '+493023125099'];
    await customerCreated(75, old);
    await learned(1);
    await ingest({ from_number: now, started_at: '2026-03-02T08:58:00Z', ended_at: '2026-03-02T09:00:00Z' });
    await ingest();
    expect(await customerIds()).toEqual([75, null]);
    await customerUpdated(75, now, 2);
    await eventually(async () => expect(await numberOf(75)).toEqual([now]));
    // The call before the change from the new number is theirs too.
    await linkedEventually([75, 75]);
    await ingest({ started_at: '2026-03-02T11:00:00Z', ended_at: '2026-03-02T11:02:00Z' });
    expect(await customerIds()).toEqual([null, 75, 75]);
    await ingest({ from_number: now, started_at: '2026-03-02T12:00:00Z', ended_at: '2026-03-02T12:02:00Z' });
    expect(await customerIds()).toEqual([75, null, 75, 75]);

    // Somebody else gets the old one; what came before, once more, takes nothing back.
    await customerCreated(76, old);
    await linkedEventually([75, 76, 75, 75]);
    await customerCreated(75, old);
    const { key } = customerEvent(75, old);
    await publisher.publish([{ ...customerEvent(77, '+493023125098'), key }]);
    await eventually(async () => expect(await numberOf(77)).toHaveLength(1));
    expect([await numberOf(75), await numberOf(76)]).toEqual([[now], [old]]);
  });

  it('is not remembered by an answer of crm that their event has overtaken', async () => {
    const id = calls.crm.addCustomer(tenant, NUMBER);
    calls.crm.set('hanging');
    expect((await calls.ingest(source, genericMessage(genericCall(), source))).status).toBe(202);
    await eventually(async () => expect(asked()).toHaveLength(1));
    await customerUpdated(id, '+493023125097', 2);
    await eventually(async () => expect(await numberOf(id)).toEqual(['+493023125097']));
    calls.crm.set('up');
    await calls.settled(tenant);
    // It was theirs when the call was asked for.
    expect(await customerIds()).toEqual([id]);
    expect(await numberOf(id)).toEqual(['+493023125097']);
  });

  it('is looked up in crm where no event has come, once for each number', async () => {
    const id = calls.crm.addCustomer(tenant, NUMBER);
    await ingest();
    await ingest({ ended_at: '2026-03-02T10:03:00Z' });
    expect(await customerIds()).toEqual([id, id]);
    expect((await announced()).map(([type, , customer]) => [type, customer])).toEqual([
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

  it('is looked up again once crm is back: calls come in meanwhile, and their events name the customer', async () => {
    const id = calls.crm.addCustomer(tenant, NUMBER);
    calls.crm.set('away');
    await Promise.all([1, 2, 3, 4].map((hour) => ingest({ ended_at: `2026-03-02T1${hour}:00:00Z` })));
    expect(await customerIds()).toEqual([null, null, null, null]);
    expect(await announced()).toEqual([]);
    calls.crm.set('up');
    await eventually(async () => {
      await calls.makeLinksDue();
      expect(await customerIds()).toEqual([id, id, id, id]);
    });
    expect(await announced()).toEqual(Array(4).fill(['call.ended', 2, id]));
  });

  it('is found by every call that races with their appearing', async () => {
    const numbers = Array.from({ length: 15 }, (_, n) => `+4930231252${10 + n}`);
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
      expect([data.length, wrong]).toEqual([2 * numbers.length, []]);
    });
  });

  it('is the business’s own: another’s customer with the number is nobody here', async () => {
    const other = calls.newTenant();
    const theirs = await calls.newSource(other);
    await customerCreated(74, NUMBER, other);
    await learned(1, other);
    await ingest({}, theirs);
    expect((await calls.list(other)).data).toMatchObject([{ customer_id: 74 }]);
    await ingest();
    expect(await customerIds()).toEqual([null]);
  });
});

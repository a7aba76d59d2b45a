import { systemSql, tenantSql } from '@frontdesk/database';
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
import { genericCall, newCallId, retellAnalysed, retellEnded } from '../sample-calls.ts';
import { genericMessage, retellMessage } from '../signed-messages.ts';

const NUMBER = '+493023125001';

const countDue = systemSql<{ due: number; parked: number }, { tenantId: number }>(
  'test_count_links',
  `select count(*) filter (where link_due_at < 'infinity') as due, count(*) filter (where link_due_at = 'infinity') as parked
   from calls where tenant_id = $tenantId`,
);
const findProbe = systemSql<{ probes: number; seconds: number }, { tenantId: number }>(
  'test_find_probe',
  `select probes, extract(epoch from probe_at - now())::float8 as seconds from parked_tenants where tenant_id = $tenantId`,
);
const setProbes = systemSql<never, { tenantId: number; probes: number }>(
  'test_set_probes',
  'update parked_tenants set probes = $probes, probe_at = now() where tenant_id = $tenantId',
);
const learn = tenantSql<never, { number: string; customerId: number }>(
  'test_learn_number',
  'insert into customer_numbers (tenant_id, e164, customer_id) values ($tenantId, $number, $customerId)',
);
const putProbeOff = systemSql<never, { tenantId: number }>(
  'test_put_probe_off',
  `update parked_tenants set probes = 30, probe_at = now() + interval '6 h' where tenant_id = $tenantId`,
);

let calls: CallsWorld;
let tenant: number;
let source: Source;
const start = async (options: { isWhole?: boolean } = {}) => {
  // LINK_WAIT_MS is an hour: nothing may wait for that here.
  calls = await startCalls(options);
  tenant = calls.newTenant();
  source = await calls.newSource(tenant, 'generic', { settings: { creates_leads: true } });
  calls.crm.set('full');
};
afterEach(async () => {
  await calls.stop();
  await removeTopics(calls.config.KAFKA_PREFIX);
});

const ingest = async (from_number: string) => {
  const message = genericMessage(genericCall({ from_number }), source);
  expect((await calls.ingest(source, message)).status).toBe(202);
};
const announced = async () => (await calls.events(tenant)).map(({ type, data }) => [type, data.customer_id]);
const announcedEventually = (events: unknown[]) =>
  eventually(async () => expect(await announced()).toEqual(events));

const parkedEventually = (parked: number) =>
  eventually(async () =>
    expect(await calls.database.system.one(countDue, { tenantId: tenant })).toEqual({ due: 0, parked }),
  );

describe('calls of unknown numbers, where the business has as many customers as it may', () => {
  beforeEach(() => start());

  it('are stored and announced at once without a customer, and linked when there is room', async () => {
    await ingest(NUMBER);
    await announcedEventually([['call.ended', null]]);
    expect((await calls.list(tenant)).data).toMatchObject([{ from_number: NUMBER, customer_id: null }]);
    calls.crm.set('up');
    await calls.makeLinksDue();
    await eventually(async () =>
      expect((await announced()).map(([type]) => type)).toEqual(['call.ended', 'call.updated']),
    );
    expect((await calls.list(tenant)).data[0].customer_id).toEqual(expect.any(Number));
  });

  it('end at once with the second of two messages, too', async () => {
    const retell = await calls.newSource(tenant, 'retell', { settings: { creates_leads: true } });
    const id = newCallId();
    const send = async (message: object) =>
      expect((await calls.ingest(retell, retellMessage(message, retell))).status).toBe(202);
    await send(retellEnded(id));
    await parkedEventually(1);
    expect(await announced()).toEqual([]);
    // Crm would say nothing more.
    calls.crm.set('hanging');
    await send(retellAnalysed(id));
    await announcedEventually([['call.ended', null]]);
  });

  /** Until crm has been asked for the number, and has not answered. */
  const askedFor = (phone: string) =>
    eventually(() => expect(calls.crm.asked.map((one) => one.phone)).toContain(phone));

  it('are not parked by what crm says of a number that they had before', async () => {
    const retell = await calls.newSource(tenant, 'retell', { settings: { creates_leads: true } });
    const id = newCallId();
    const corrected = '+493023125002';
    const customer = calls.crm.addCustomer(tenant, corrected);
    calls.crm.set('hanging');
    expect((await calls.ingest(retell, retellMessage(retellEnded(id), retell))).status).toBe(202);
    await askedFor(NUMBER);
    const message = retellMessage(retellAnalysed(id, { from_number: corrected }), retell);
    expect((await calls.ingest(retell, message)).status).toBe(202);
    await eventually(async () =>
      expect((await calls.list(tenant)).data).toMatchObject([{ from_number: corrected }]),
    );
    calls.crm.set('full');
    await announcedEventually([['call.ended', customer]]);
    expect(await calls.database.system.maybeOne(findProbe, { tenantId: tenant })).toBeNull();
  });

  it('are linked where the number became known while crm was asked', async () => {
    calls.crm.set('hanging');
    await ingest(NUMBER);
    await askedFor(NUMBER);
    await calls.database.forTenant(tenant).run(learn, { number: NUMBER, customerId: 4_711 });
    calls.crm.set('full');
    await announcedEventually([['call.ended', 4_711]]);
    expect(await calls.database.system.maybeOne(findProbe, { tenantId: tenant })).toBeNull();
  });

  it('are asked about one at a time, later each time, four times a day in the end', async () => {
    for (let nth = 0; nth < 12; nth += 1) await ingest(`+4930231250${10 + nth}`);
    await parkedEventually(12);
    for (const [probes, from, to] of [
      [3, 1, 17],
      [8, 200, 513],
      [30, 21_000, 21_601],
    ] as const) {
      const asked = calls.crm.asked.length;
      await calls.database.system.run(setProbes, { tenantId: tenant, probes });
      await eventually(async () => {
        const { probes: now, seconds } = await calls.database.system.one(findProbe, { tenantId: tenant });
        expect(now).toBeGreaterThan(probes);
        expect(seconds).toBeGreaterThan(from);
        expect(seconds).toBeLessThan(to);
        expect(calls.crm.asked.length).toBeGreaterThan(asked);
      });
      await parkedEventually(12);
    }
    // A new call is asked for, as its caller may be known, and no other.
    const asked = calls.crm.asked.length;
    await ingest('+493023125002');
    await parkedEventually(13);
    expect(calls.crm.asked.slice(asked).map(({ phone }) => phone)).toEqual(['+493023125002']);
  });

  it('are all linked once one of them finds room', async () => {
    for (let nth = 0; nth < 25; nth += 1) await ingest(`+4930231250${10 + nth}`);
    await parkedEventually(25);
    calls.crm.set('up');
    await calls.database.system.run(setProbes, { tenantId: tenant, probes: 30 });
    await eventually(async () =>
      expect(
        (await calls.list(tenant, { per_page: '100' })).data.map(
          ({ customer_id }: { customer_id: number }) => customer_id,
        ),
      ).not.toContain(null),
    );
    // Nothing is left to do for the business.
    await eventually(async () =>
      expect(await calls.database.system.maybeOne(findProbe, { tenantId: tenant })).toBeNull(),
    );
  });

  it('of a source that makes no customers are asked for once', async () => {
    const quiet = await calls.newSource(tenant, 'generic', { settings: { creates_leads: false } });
    await calls.ingest(quiet, genericMessage(genericCall({ from_number: NUMBER }), quiet));
    await announcedEventually([['call.ended', null]]);
    expect(await calls.database.system.one(countDue, { tenantId: tenant })).toEqual({ due: 0, parked: 0 });
  });
});

describe('the events of others', () => {
  let publisher: ReturnType<typeof createPublisher>;
  beforeEach(async () => {
    await start({ isWhole: true });
    publisher = createPublisher({ kafka: kafkaClient(calls.config.KAFKA_PREFIX), logger });
    await publisher.start();
    await eventually(async () => {
      const answer = await calls.service.internal.inject({ method: 'GET', url: '/health/ready' });
      expect(answer.json()).toEqual({ status: 'ready' });
    });
    await ingest(NUMBER);
    await parkedEventually(1);
    // From here on only an event moves it.
    await calls.database.system.run(putProbeOff, { tenantId: tenant });
    await parkedEventually(1);
  });
  afterEach(() => publisher.stop());

  it('that name a customer with the number link a parked call', async () => {
    const customer = sampleCustomer({ id: 71, phone: NUMBER });
    await publisher.publish([recordOf(eventOf('customer.created', tenant, customer))]);
    await announcedEventually([
      ['call.ended', null],
      ['call.updated', 71],
    ]);
  });

  it('that change the business have crm asked soon', async () => {
    const at = '2026-01-01T00:00:00Z';
    const changed = {
      id: tenant,
      name: 'Salon',
      plan: 'enterprise' as const,
      status: 'active' as const,
      created_at: at,
      updated_at: at,
      timezone: 'Europe/Berlin',
      country: 'DE',
      currency: 'EUR',
    };
    await publisher.publish([recordOf(eventOf('tenant.updated', tenant, changed, 2))]);
    await eventually(async () => {
      const { probes, seconds } = await calls.database.system.one(findProbe, { tenantId: tenant });
      expect([probes < 30, seconds < 60]).toEqual([true, true]);
    });
  });
});

import { systemSql } from '@frontdesk/database';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';

/** Ten days back, into the partitions of then. */
const makeOlder = systemSql<never, { id: number }>(
  'test_make_older',
  `with older_event as (
     update events set id = id - 10 * 10000000000, received_at = received_at - interval '10 days'
     where (tenant_id, id) in (select tenant_id, event_row from deliveries where id = $id)
   )
   update deliveries set id = id - 10 * 10000000000, event_row = event_row - 10 * 10000000000,
     created_at = created_at - interval '10 days' where id = $id`,
);
const ensureOlder = systemSql<never>(
  'test_ensure_older',
  `select ensure_partitions(today - 10, today) from (select floor(extract(epoch from now()) / 86400)::bigint as today) days`,
);

describe('GET /webhooks/deliveries', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  let tenantId: number;
  let hooks: ReturnType<typeof hooksOf>;
  let endpoint: number;

  beforeAll(async () => {
    world = await startWebhooks();
    await world.database.system.run(ensureOlder);
    receiver = await startReceiver();
    receiver.respondWith(({ rawBody }) => ({ status: rawBody.includes('customer.created') ? 500 : 200 }));
    tenantId = uniqueTenantId();
    hooks = hooksOf(world, tenantId);
    endpoint = (await hooks.create(receiver, ['appointment.created', 'customer.created'])).id;
    await world.publish(appointmentEvent(tenantId));
    const [oldest] = await hooks.settled('delivered');
    await world.database.system.run(makeOlder, { id: oldest?.id ?? 0 });
    await world.publish(customerEvent(tenantId));
    await hooks.settled('failed', 'delivered');
    await hooks.create(receiver, ['appointment.cancelled']);
    await world.publish(appointmentEvent(tenantId, 'appointment.cancelled', 2));
    await hooks.settled('delivered', 'failed', 'delivered');
    // A cursor appears once the event has settled, and stays: from then on all looks are the same.
    await eventually(async () =>
      expect((await hooks.log()).map(({ feed_cursor }) => feed_cursor)).not.toContain(null),
    );
  });

  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  const events = async (query: string) => (await hooks.log(query)).map(({ event }) => event);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  it.each([
    ['?status=failed', ['customer.created']],
    ['?event=appointment.created', ['appointment.created']],
    ['?status=delivered&event=appointment.cancelled', ['appointment.cancelled']],
    ['?status=cancelled', []],
    ['?event=endpoint.test', []],
  ])('%s', async (query, expected) => {
    expect(await events(query)).toEqual(expected);
  });

  it('?endpoint_id= together with others', async () => {
    expect(await events(`?endpoint_id=${endpoint}`)).toEqual(['customer.created', 'appointment.created']);
    expect(await events(`?endpoint_id=${endpoint}&status=delivered`)).toEqual(['appointment.created']);
  });

  it('?from= and ?to=: instants, the first included and the last not', async () => {
    expect(await events(`?to=${daysAgo(1)}`)).toEqual(['appointment.created']);
    expect(await events(`?from=${daysAgo(1)}`)).toEqual(['appointment.cancelled', 'customer.created']);
    expect(await events(`?from=${daysAgo(11)}&to=${daysAgo(9)}&endpoint_id=${endpoint}`)).toEqual([
      'appointment.created',
    ]);
    const [{ created_at: at } = { created_at: '' }] = await hooks.log('?status=failed');
    const beyond = new Date(Date.parse(at) + 1).toISOString();
    expect(await events(`?from=${at}&to=${beyond}`)).toEqual(['customer.created']);
    expect(await events(`?to=${at}&from=${daysAgo(1)}`)).toEqual([]);
  });

  it('?event_id= finds what came of an event, as receivers know it; ?id= a delivery', async () => {
    const [first] = await hooks.log('?status=failed');
    const known = String(first?.payload.id);
    expect(known).toMatch(/^evt_/);
    for (const id of [known, known.replace('evt_', ''), known.toUpperCase().replace('EVT_', '')])
      expect(await events(`?event_id=${id}`)).toEqual(['customer.created']);
    expect(await events(`?event_id=${known}&status=delivered`)).toEqual([]);
    expect(await events(`?event_id=00000000-0000-4000-8000-000000000000`)).toEqual([]);
    expect(await events(`?id=${first?.id}`)).toEqual(['customer.created']);
  });

  it('?cursor= walks the list, whatever comes in at its head', async () => {
    const first = (await hooks.send('GET', '/deliveries?per_page=2')).body;
    expect(first.meta).toMatchObject({ total: 3, next_cursor: expect.any(String) });
    const rest = (await hooks.send('GET', `/deliveries?per_page=2&cursor=${first.meta.next_cursor}`)).body;
    expect(rest.data).toMatchObject([{ event: 'appointment.created' }]);
    expect(rest.meta).not.toHaveProperty('next_cursor');
  });

  it('?cursor= is that of the log with and without bodies, and of no other filter', async () => {
    const { meta, data } = (await hooks.send('GET', '/deliveries?per_page=2')).body;
    const summaries = await hooks.send('GET', `/deliveries/summaries?cursor=${meta.next_cursor}`);
    expect(summaries.body.data).toMatchObject([{ event: 'appointment.created' }]);
    const refused = [
      await hooks.send('GET', `/deliveries?status=delivered&cursor=${meta.next_cursor}`),
      await hooks.send('GET', `/deliveries?cursor=${data[0].feed_cursor}`),
    ];
    for (const { status, body } of refused)
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'invalid_cursor', ['cursor']]);
  });

  it.each([
    '',
    '?status=failed',
    `?from=${daysAgo(11)}&to=${daysAgo(9)}`,
    '?event=appointment.cancelled&per_page=1',
    '?per_page=2&page=2',
  ])('/summaries%s: the same without payloads and answers', async (query) => {
    const whole = (await hooks.send('GET', `/deliveries${query}`)).body;
    const { status, body } = await hooks.send('GET', `/deliveries/summaries${query}`);
    expect([status, body.meta]).toEqual([200, whole.meta]);
    expect(body.data.length).toBeGreaterThan(0);
    const fields = Object.keys(whole.data[0]).filter(
      (field) => !['payload', 'response_body'].includes(field),
    );
    for (const summary of body.data) expect(Object.keys(summary)).toEqual(fields);
    expect(whole.data).toMatchObject(body.data);
  });

  it.each([
    ['?status=lost', 'status'],
    ['?event=tenant.created', 'event'],
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30T00:00:00Z', 'to'],
    ['?cursor=x', 'cursor'],
    ['?event_id=evt_1', 'event_id'],
  ])('422: %s', async (query, field) => {
    const { status, body } = await hooks.send('GET', `/deliveries${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

import { systemSql } from '@frontdesk/database';
import { Client } from 'pg';
import { eventually } from '../../../support/index.ts';
import { hooks, receiver, replays, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent, appointmentEvents, customerEvent } from '../sample-events.ts';
import { untilAnotherWaitsFor } from '../until-another-waits.ts';

const eventsOf = systemSql<{ count: number }, { tenantId: number }>(
  'test_events_of',
  'select count(*) as count from events where tenant_id = $tenantId',
);

describe('events that come in while an endpoint is paused or disabled', () => {
  // One at a time, so that what goes out has an order.
  startForEachTest({ ENDPOINT_CONCURRENCY: '1' });

  const missed = async (id: number) => (await hooks.send('GET', `/${id}/missed`)).body.data;
  const taken = async () => (await world.database.system.one(eventsOf, { tenantId })).count;
  /** Once they are all in the log of events. */
  const takeIn = async (...events: ReturnType<typeof appointmentEvents>) => {
    const before = await taken();
    await world.publish(...events);
    await eventually(async () => expect(await taken()).toBe(before + events.length));
  };
  const received = () =>
    receiver.requests.map(({ rawBody }) => (JSON.parse(rawBody) as { id: string }).id.replace('evt_', ''));
  const idsOf = (events: { event_id: string }[]) => events.map(({ event_id }) => event_id);

  it('are counted, and sent in their order once it is resumed: those that it would have got, each once', async () => {
    const { id } = await hooks.create(receiver);
    expect(await missed(id)).toEqual({ to: null, count: 0, is_partial: false });
    const before = appointmentEvent(tenantId);
    await world.publish(before);
    await hooks.settled('delivered');

    await replays.setActive(id, false);
    expect(await hooks.show(id)).toMatchObject({
      state: 'paused',
      paused_at: expect.any(String),
      health: { status: 'paused' },
    });
    const during = appointmentEvents(tenantId, 3);
    await takeIn(...during, customerEvent(tenantId));
    expect(await missed(id)).toEqual({ to: null, count: 3, is_partial: false });

    await replays.setActive(id, true);
    expect(await hooks.show(id)).toMatchObject({ state: 'active', paused_at: null });
    const after = appointmentEvent(tenantId);
    await world.publish(after);
    await eventually(() => expect(received()).toEqual(idsOf([before, after])));
    expect(await missed(id)).toEqual({ to: expect.any(String), count: 3, is_partial: false });
    expect(await replays.replay(id, { kind: 'missed' })).toMatchObject({
      kind: 'missed',
      total: 3,
      queued: 3,
      skipped: 0,
    });
    await eventually(() => expect(received()).toEqual(idsOf([before, after, ...during])));
    expect(await missed(id)).toMatchObject({ count: 0 });
    expect(await replays.replay(id, { kind: 'missed' })).toMatchObject({ total: 0, queued: 0 });

    // The log goes by when events came in, on all of its pages.
    const pages = await Promise.all([1, 2, 3].map((page) => hooks.log(`?per_page=2&page=${page}`)));
    expect(pages.flat().map(({ payload }) => String(payload.id).replace('evt_', ''))).toEqual(
      idsOf([before, ...during, after]).toReversed(),
    );
  });

  it('are those of the last pause alone, and go out under the name subscribed to', async () => {
    const { id } = await hooks.create(receiver, ['appointment.booked']);
    await replays.setActive(id, false);
    await takeIn(appointmentEvent(tenantId));
    await replays.setActive(id, true);
    await replays.setActive(id, false);
    expect(await missed(id)).toMatchObject({ count: 0 });
    const second = appointmentEvent(tenantId);
    await takeIn(second);
    await replays.setActive(id, true);
    expect(await replays.replay(id, { kind: 'missed' })).toMatchObject({ total: 1, queued: 1 });
    await eventually(() => expect(received()).toEqual(idsOf([second])));
    expect(receiver.requests[0]?.rawBody).toContain('"event":"appointment.booked"');
    expect(await missed(id)).toMatchObject({ count: 0 });
  });

  it('of one that was disabled, without what had failed before', async () => {
    const { id } = await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 410 }));
    await world.publish(appointmentEvent(tenantId));
    await eventually(async () =>
      expect(await hooks.show(id)).toMatchObject({ state: 'disabled', paused_at: expect.any(String) }),
    );
    const during = appointmentEvents(tenantId, 2);
    await takeIn(...during);
    expect(await missed(id)).toMatchObject({ count: 2 });
    receiver.respondWith(() => ({ status: 200 }));
    receiver.requests.length = 0;
    await replays.setActive(id, true);
    expect(await replays.replay(id, { kind: 'missed' })).toMatchObject({ queued: 2, skipped: 0 });
    await eventually(() => expect(received()).toEqual(idsOf(during)));
  });

  /** Intake of an event that has begun, and waits: another endpoint of the tenant is just being changed. */
  async function whileTakingIn(event: ReturnType<typeof appointmentEvent>, work: () => Promise<void>) {
    const { id: other } = await hooks.create(receiver, ['customer.created', 'appointment.created']);
    const client = new Client({ connectionString: world.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select pg_current_xact_id() from endpoints where id = $1 for update', [other]);
      await world.publish(event);
      await untilAnotherWaitsFor(client);
      await work();
    } finally {
      await client.query('rollback');
      await client.end();
    }
    await hooks.send('DELETE', `/${other}`);
  }

  it('also one whose intake began before the endpoint was resumed and ended afterwards', async () => {
    const { id } = await hooks.create(receiver);
    await replays.setActive(id, false);
    const event = appointmentEvent(tenantId);
    let replay = 0;
    await whileTakingIn(event, async () => {
      await replays.setActive(id, true);
      replay = (await replays.start(id, { kind: 'missed' })).body.data.id;
    });
    expect(await replays.done(replay)).toMatchObject({ queued: 1 });
    await eventually(async () =>
      expect(await hooks.log(`?endpoint_id=${id}`)).toMatchObject([{ status: 'delivered' }]),
    );
  });

  it('422 while it is paused, and where it never was', async () => {
    const { id } = await hooks.create(receiver);
    expect((await replays.start(id, { kind: 'missed' })).body.errors).toEqual({
      kind: ['The endpoint has not been paused.'],
    });
    await replays.setActive(id, false);
    expect((await replays.start(id, { kind: 'missed' })).body.errors).toEqual({
      endpoint: ['The endpoint is paused. Resume it first.'],
    });
    const { status, body } = await replays.start(id, { kind: 'missed', from: '2026-01-01T00:00:00Z' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['from']]);
    expect((await hooks.send('GET', '/999999999/missed')).status).toBe(404);
  });
});

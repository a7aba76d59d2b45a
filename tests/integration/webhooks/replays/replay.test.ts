import { Webhook } from 'standardwebhooks';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { hooks, receiver, replays, startForEachTest, tenantId, world } from '../each-test.ts';
import { aroundNow } from '../replay-world.ts';
import { appointmentEvent, appointmentEvents, customerEvent } from '../sample-events.ts';

describe('replays', () => {
  startForEachTest();

  const received = () =>
    receiver.requests.map(({ rawBody }) => JSON.parse(rawBody) as { event: string; id: string });

  it('{kind: failed}: all that failed goes out once more; what was delivered does not', async () => {
    const { id } = await hooks.create(receiver, ['appointment.created', 'customer.created']);
    receiver.respondWith(({ rawBody }) => ({ status: rawBody.includes('"event":"appointment') ? 500 : 200 }));
    await world.publish(...appointmentEvents(tenantId, 3), customerEvent(tenantId));
    await eventually(async () => {
      const statuses = (await hooks.log()).map(({ status }) => status).toSorted();
      expect(statuses).toEqual(['delivered', 'failed', 'failed', 'failed']);
    });
    receiver.requests.length = 0;
    receiver.respondWith(() => ({ status: 200 }));
    const { status, headers, body } = await replays.start(id, { kind: 'failed' });
    expect(status).toBe(202);
    expect(headers.location).toMatch(new RegExp(`/webhooks/replays/${body.data.id}$`));
    expect(body.data).toEqual({
      id: expect.any(Number),
      endpoint_id: id,
      kind: 'failed',
      status: 'running',
      from: null,
      to: null,
      include_delivered: false,
      total: 3,
      queued: 0,
      skipped: 0,
      created_at: expect.any(String),
      finished_at: null,
    });
    expect(await replays.done(body.data.id)).toMatchObject({
      total: 3,
      queued: 3,
      skipped: 0,
      finished_at: expect.any(String),
    });
    await hooks.settled('delivered', 'delivered', 'delivered', 'delivered');
    expect(received().map(({ event }) => event)).toEqual(Array(3).fill('appointment.created'));
    expect((await hooks.send('GET', `/${id}/replays`)).body).toMatchObject({
      data: [{ id: body.data.id, status: 'done' }],
      meta: { total: 1 },
    });
  });

  it('{from, to}: what was skipped while it was paused arrives, signed, and what it has had does not', async () => {
    const { id, secret } = await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('delivered');
    const missed = appointmentEvents(tenantId, 3);
    await replays.skip(id, ...missed, customerEvent(tenantId));
    receiver.requests.length = 0;

    expect(await replays.replay(id, aroundNow())).toMatchObject({
      kind: 'window',
      total: 4,
      queued: 3,
      skipped: 1,
    });
    await eventually(() => expect(receiver.requests).toHaveLength(3));
    expect(
      received()
        .map((event) => event.id)
        .toSorted(),
    ).toEqual(missed.map(({ event_id }) => `evt_${event_id}`).toSorted());
    for (const { rawBody, headers } of receiver.requests)
      new Webhook(secret).verify(rawBody, headers as Record<string, string>);

    // Once more: nobody is missing anything now.
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 4, queued: 0, skipped: 4 });
    // What is still under way would be passed by.
    await eventually(async () =>
      expect((await hooks.log(`?endpoint_id=${id}`)).map(({ status }) => status)).toEqual(
        Array(4).fill('delivered'),
      ),
    );
    const again = await replays.replay(id, { ...aroundNow(), include_delivered: true });
    expect(again).toMatchObject({ total: 4, queued: 4, skipped: 0 });
    await eventually(() => expect(receiver.requests).toHaveLength(7));
    expect(await hooks.log(`?endpoint_id=${id}`)).toHaveLength(4);
  });

  it('{from, to}: what had failed goes out again', async () => {
    const { id } = await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 500 }));
    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('failed');
    receiver.respondWith(() => ({ status: 200 }));
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 1, queued: 1 });
    await hooks.settled('delivered');
  });

  it('{from, to}: under a name that nobody had then, as the event itself would have been', async () => {
    const { id } = await hooks.create(receiver, ['appointment.booked']);
    const event = appointmentEvent(tenantId);
    await replays.skip(id, event);
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 1, queued: 1 });
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    expect(receiver.requests[0]?.rawBody).toBe(
      JSON.stringify({
        id: `evt_${event.event_id}`,
        event: 'appointment.booked',
        created_at: event.occurred_at,
        sequence: 1,
        data: event.data,
      }),
    );
  });

  it('{from, to}: nothing twice, also where it came under another name before', async () => {
    const { id } = await hooks.create(receiver, ['appointment.booked']);
    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('delivered');
    await replays.skip(id, appointmentEvent(tenantId));
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 2, queued: 1, skipped: 1 });
    await hooks.send('PATCH', `/${id}`, { events: ['appointment.created'] });
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 2, queued: 0, skipped: 2 });
    await hooks.send('PATCH', `/${id}`, { events: ['appointment.booked'] });
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 2, queued: 0, skipped: 2 });
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    expect(received().map(({ event }) => event)).toEqual(['appointment.booked', 'appointment.booked']);
  });

  it('{from, to}: nothing from before or after, nothing of another tenant', async () => {
    const { id } = await hooks.create(receiver);
    await replays.skip(id, appointmentEvent(tenantId), appointmentEvent(uniqueTenantId()));
    const [hourAgo, twoHoursAgo] = [1, 2].map((hours) =>
      new Date(Date.now() - hours * 3_600_000).toISOString(),
    );
    expect(await replays.replay(id, { from: twoHoursAgo, to: hourAgo })).toMatchObject({
      total: 0,
      queued: 0,
    });
    expect(await replays.replay(id, aroundNow())).toMatchObject({ total: 1, queued: 1 });
  });
});

describe('POST /webhooks/:id/replays', () => {
  // Too slow for any replay of many to come to its end.
  startForEachTest({ REPLAYS_PER_SECOND: '0.5' });

  it('422: of several at once, those that meet a running one', async () => {
    const { id } = await hooks.create(receiver);
    const answers = await Promise.all(Array.from({ length: 4 }, () => replays.start(id, aroundNow())));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    for (const { status, body } of answers)
      if (status !== 202)
        expect([status, body.errors]).toEqual([
          422,
          { replay: ['The endpoint has a replay that is still running.'] },
        ]);
    const { data } = (await hooks.send('GET', `/${id}/replays`)).body;
    expect(data).toHaveLength(statuses.filter((status) => status === 202).length);
  });

  it('once for an Idempotency-Key', async () => {
    const { id } = await hooks.create(receiver);
    // Again, as the key allows, where the other one was at work for longer than a request waits.
    const start = () =>
      eventually(async () => {
        const answer = await replays.start(id, { kind: 'failed' }, { 'idempotency-key': 'a' });
        expect(answer.body.code).not.toBe('request_in_progress');
        return answer;
      });
    const [first, second] = await Promise.all([start(), start()]);
    expect([first?.status, second?.body]).toEqual([202, first?.body]);
    expect((await hooks.send('GET', `/${id}/replays`)).body.meta.total).toBe(1);
  });

  it('of an endpoint that is deleted meanwhile are cancelled', async () => {
    const { id } = await hooks.create(receiver);
    await replays.setActive(id, false);
    expect((await replays.start(id, aroundNow())).body.errors).toEqual({
      endpoint: ['The endpoint is paused. Resume it first.'],
    });
    await replays.setActive(id, true);
    receiver.respondWith(() => new Promise(() => {}));
    await replays.skip(id, ...appointmentEvents(tenantId, 120));
    const { body } = await replays.start(id, aroundNow());
    await hooks.send('DELETE', `/${id}`);
    expect((await replays.done(body.data.id, 'cancelled')).queued).toBeLessThan(120);
  });

  it('are cancelled on request, and a new one may begin', async () => {
    const { id } = await hooks.create(receiver);
    receiver.respondWith(() => new Promise(() => {}));
    await replays.skip(id, ...appointmentEvents(tenantId, 200));
    const { body } = await replays.start(id, aroundNow());
    const cancelled = await hooks.send('POST', `/replays/${body.data.id}/cancel`);
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'cancelled']);
    expect((await hooks.send('POST', `/replays/${body.data.id}/cancel`)).body).toEqual(cancelled.body);
    expect((await replays.start(id, aroundNow())).status).toBe(202);
    expect((await hooks.send('GET', `/replays/${body.data.id}`)).body).toEqual(cancelled.body);
  });

  it.each([
    ['no window', {}, ['from', 'to']],
    ['half a window', { from: '2026-01-01T00:00:00Z' }, ['to']],
    ['no instant', { from: 'monday', to: '2026-01-01T00:00:00Z' }, ['from']],
    ['an end before the beginning', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, ['to']],
    ['more than is kept', { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }, ['to']],
    ['both', { kind: 'failed', from: '2026-01-01T00:00:00Z' }, ['from']],
    ['another kind', { kind: 'all' }, ['kind']],
  ])('422: %s', async (_case, body, fields) => {
    const { id } = await hooks.create(receiver);
    const answer = await replays.start(id, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
  });
});

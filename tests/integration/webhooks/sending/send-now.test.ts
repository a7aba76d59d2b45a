import { systemSql } from '@frontdesk/database';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent } from '../sample-events.ts';

const openBreaker = systemSql<never, { id: number }>(
  'test_open_breaker',
  `update endpoints set consecutive_failures = 25, retry_at = now() + interval '1 hour' where id = $id`,
);

describe('POST /webhooks/deliveries/:id/send-now', () => {
  // Nothing is tried again by itself while the tests run.
  startForEachTest({ RETRY_DELAYS_SECONDS: '3600,3600' });

  const sendNow = (id: number) => hooks.send('POST', `/deliveries/${id}/send-now`);
  /** A delivery that has failed once and waits for an hour. */
  const waiting = async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const endpoint = await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const [delivery] = await eventually(async () => {
      const log = await hooks.log();
      expect(log).toMatchObject([{ status: 'pending', attempt_count: 1 }]);
      return log;
    });
    return { endpoint, id: delivery?.id ?? 0 };
  };

  it('202: the attempt is made at once and counts as one', async () => {
    const { id } = await waiting();
    const { status, body } = await sendNow(id);
    expect([status, body.data]).toEqual([202, expect.objectContaining({ id, status: 'pending' })]);
    await eventually(async () => expect(await hooks.log()).toMatchObject([{ attempt_count: 2 }]));
    receiver.respondWith(() => ({ status: 200 }));
    await sendNow(id);
    const [delivered] = await hooks.settled('delivered');
    expect(delivered).toMatchObject({ attempt_count: 3, duration_ms: expect.any(Number) });
    expect(receiver.requests).toHaveLength(3);
    expect((await sendNow(id)).body.errors).toEqual({
      delivery: ['The delivery is not pending. Check its status.'],
    });
  });

  it('of many at once one attempt is made: they find it waiting, or under way', async () => {
    const { id } = await waiting();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendNow(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    expect((await sendNow(id)).status).toBe(202);
    answer.resolve({ status: 200 });
    const [delivered] = await hooks.settled('delivered');
    expect(delivered).toMatchObject({ attempt_count: 2 });
    expect(receiver.requests).toHaveLength(2);
  });

  it('goes before whatever else waits, also where the endpoint is left alone after many failures', async () => {
    const { endpoint } = await waiting();
    await world.publish(appointmentEvent(tenantId));
    const log = await eventually(async () => {
      const found = await hooks.log();
      expect(found).toMatchObject([{ attempt_count: 1 }, { attempt_count: 1 }]);
      return found;
    });
    await eventually(async () => {
      await world.database.system.run(openBreaker, { id: endpoint.id });
      expect((await hooks.show(endpoint.id)).health).toMatchObject({ consecutive_failures: 25, waiting: 2 });
    });
    receiver.respondWith(() => ({ status: 200 }));
    await sendNow(log[0]?.id ?? 0);
    await eventually(async () =>
      expect(await hooks.log()).toMatchObject([{ status: 'delivered' }, { status: 'pending' }]),
    );
    expect((await hooks.show(endpoint.id)).health).toMatchObject({ waiting: 1 });
  });

  it('422 while the endpoint is paused, 404 for another tenant’s', async () => {
    const { endpoint, id } = await waiting();
    await hooks.send('PATCH', `/${endpoint.id}`, { is_active: false });
    expect((await sendNow(id)).body.errors).toEqual({
      endpoint: ['The endpoint is paused. Resume it first.'],
    });
    const others = hooksOf(world, uniqueTenantId());
    expect((await others.send('POST', `/deliveries/${id}/send-now`)).status).toBe(404);
  });
});

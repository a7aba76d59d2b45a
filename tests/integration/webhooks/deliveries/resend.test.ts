import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { replaysOf } from '../replay-world.ts';
import { appointmentEvent } from '../sample-events.ts';

const setAttempts = systemSql<never, { id: number; count: number }>(
  'test_set_attempts',
  'update deliveries set attempt_count = $count where id = $id',
);

describe('POST /webhooks/deliveries/:id/resend', () => {
  startForEachTest();

  const resend = (id: number, headers?: Record<string, string>) =>
    hooks.send('POST', `/deliveries/${id}/resend`, undefined, headers);
  const only = async (status: 'delivered' | 'failed') => {
    const [delivery] = await hooks.settled(status);
    if (!delivery) throw new Error('nothing logged');
    return delivery;
  };

  it('202: the same delivery once more, the same bytes, its attempts numbered on', async () => {
    await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 500 }));
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('failed');
    receiver.respondWith(() => ({ status: receiver.requests.length === 5 ? 200 : 500 }));
    const { status, body } = await resend(id);
    expect([status, body.data.id, body.data.status]).toEqual([202, id, 'pending']);

    expect(await only('delivered')).toMatchObject({ id, attempt_count: 5, http_status: 200 });
    const { attempts } = (await hooks.send('GET', `/deliveries/${id}`)).body.data;
    expect(
      attempts.map((made: { attempt: number; http_status: number }) => [made.attempt, made.http_status]),
    ).toEqual([1, 2, 3, 4, 5].map((attempt) => [attempt, attempt === 5 ? 200 : 500]));
    expect(new Set(receiver.requests.map(({ rawBody }) => rawBody)).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('202: three attempts more, and failed again where none gets through', async () => {
    await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 500 }));
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('failed');
    await resend(id);
    await eventually(async () =>
      expect(await hooks.log()).toMatchObject([{ status: 'failed', attempt_count: 6 }]),
    );
    expect(receiver.requests).toHaveLength(6);
  });

  it('202: also what was delivered', async () => {
    await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('delivered');
    expect((await resend(id)).status).toBe(202);
    await eventually(() => expect(receiver.requests).toHaveLength(2));
  });

  it('422 for all but one of many at once: it is pending; it is sent once', async () => {
    await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('delivered');
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    const answers = await Promise.all(Array.from({ length: 6 }, () => resend(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      202, 422, 422, 422, 422, 422,
    ]);
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    expect((await resend(id)).body.errors).toEqual({
      delivery: ['The delivery is already pending or being sent.'],
    });
    answer.resolve({ status: 200 });
    expect(await only('delivered')).toMatchObject({ attempt_count: 2 });
    expect(receiver.requests).toHaveLength(2);
  });

  it('422 for one that has had a hundred attempts, which a replay passes by too', async () => {
    const { id: endpoint } = await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 500 }));
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('failed');
    await world.database.system.run(setAttempts, { id, count: 99 });
    expect((await resend(id)).status).toBe(202);
    expect(await only('failed')).toMatchObject({ attempt_count: 102 });
    const { status, body } = await resend(id);
    expect([status, body.errors]).toEqual([
      422,
      { delivery: ['The delivery has had 102 attempts: from 100 on, none is added.'] },
    ]);
    const replay = await replaysOf(world, tenantId, hooks).replay(endpoint, { kind: 'failed' });
    expect(replay).toMatchObject({ total: 1, queued: 0, skipped: 1 });
    expect(receiver.requests).toHaveLength(6);
  });

  it('202: what it had before is counted on, however many those were', async () => {
    await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('delivered');
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    await resend(id);
    await world.database.system.run(setAttempts, { id, count: 32_767 });
    answer.resolve({ status: 200 });
    expect(await only('delivered')).toMatchObject({ attempt_count: 32_768 });
  });

  it('once for an Idempotency-Key', async () => {
    await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('delivered');
    const answers = [
      await resend(id, { 'idempotency-key': 'a' }),
      await resend(id, { 'idempotency-key': 'a' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await eventually(async () =>
      expect(await hooks.log()).toMatchObject([{ status: 'delivered', attempt_count: 2 }]),
    );
  });

  it('422 to an endpoint that is paused, 404 to one that is deleted', async () => {
    const { id: endpoint } = await hooks.create(receiver);
    await world.publish(appointmentEvent(tenantId));
    const { id } = await only('delivered');
    await hooks.send('PATCH', `/${endpoint}`, { is_active: false });
    expect((await resend(id)).body.errors).toEqual({
      endpoint: ['The endpoint is paused. Resume it first.'],
    });
    await hooks.send('DELETE', `/${endpoint}`);
    expect((await resend(id)).body.message).toBe('Webhook endpoint not found.');
  });
});

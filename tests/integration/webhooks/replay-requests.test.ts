import { hooks, receiver, replays, startForEachTest, tenantId } from './each-test.ts';
import { aroundNow } from './replay-world.ts';
import { appointmentEvents } from './sample-events.ts';

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
    const answers = [1, 2].map(() => replays.start(id, { kind: 'failed' }, { 'idempotency-key': 'a' }));
    const [first, second] = await Promise.all(answers);
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

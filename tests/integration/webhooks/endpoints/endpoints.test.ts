import { ENDPOINT_SCOPES } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent } from '../sample-events.ts';

const endEndpoint = systemSql<never, { id: number }>(
  'test_end_endpoint',
  `update endpoints set is_active = false, disabled_reason = 'failing', consecutive_failures = 90,
     retry_at = now() + interval '1 hour', failing_since = now() - interval '6 days' where id = $id`,
);

startForEachTest();

describe('GET /webhooks/:id', () => {
  it('200 with the record as in the list, its health and its ETag, without the secret', async () => {
    const { id, url, secret } = await hooks.create(receiver);
    const { status, headers, body } = await hooks.send('GET', `/${id}`);
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(body.data).toEqual({
      id,
      url,
      events: ['appointment.created'],
      scopes: [...ENDPOINT_SCOPES],
      headers: [],
      is_active: true,
      created_at: expect.any(String),
      state: 'active',
      paused_at: null,
      disabled_reason: null,
      health: {
        status: 'new',
        next_attempt_at: null,
        waiting: 0,
        recent: { delivered: 0, failed: 0 },
        success_rate: null,
        last_success_at: null,
        last_failure_at: null,
        last_failure: null,
        failing_since: null,
        consecutive_failures: 0,
        dropped_deliveries: 0,
      },
      secret_last_four: secret.slice(-4),
      previous_secret_until: null,
      updated_at: expect.any(String),
    });
    expect((await hooks.send('GET', '')).body.data).toEqual([body.data]);
  });

  it('200: says how its deliveries fare', async () => {
    const { id } = await hooks.create(receiver);
    receiver.respondWith(({ rawBody }) => ({ status: rawBody.includes('"sequence":2,') ? 500 : 200 }));
    for (const version of [1, 2, 3, 4]) {
      await world.publish(appointmentEvent(tenantId, 'appointment.created', version));
      await eventually(async () => {
        const deliveries = await hooks.log();
        expect(deliveries).toHaveLength(version);
        expect(deliveries.map(({ status }) => status)).not.toContain('pending');
      });
    }
    // Written beside the results, and so perhaps after them.
    await eventually(async () =>
      expect(await hooks.show(id)).toMatchObject({
        state: 'active',
        health: {
          status: 'healthy',
          recent: { delivered: 3, failed: 1 },
          success_rate: 0.75,
          last_success_at: expect.any(String),
          last_failure_at: expect.any(String),
          last_failure: 'HTTP 500',
          failing_since: null,
          consecutive_failures: 0,
        },
      }),
    );
  });
});

describe('POST /webhooks', () => {
  it('201 once for an Idempotency-Key, with the same secret', async () => {
    const body = { url: receiver.url, events: ['call.ended'] };
    // Again, as the key allows, where another one was at work for longer than a request waits.
    const post = () =>
      eventually(async () => {
        const answer = await hooks.send('POST', '', body, { 'idempotency-key': 'a' });
        expect(answer.body.code).not.toBe('request_in_progress');
        return answer;
      });
    const answers = await Promise.all([post(), post(), post()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.secret)).size).toBe(1);
    expect((await hooks.send('GET', '')).body.data).toHaveLength(1);
  });

  it('201 again for an Idempotency-Key, without a secret once the endpoint has another or is gone', async () => {
    const body = { url: `${receiver.url}/hook`, events: ['call.ended'] };
    const create = () => hooks.send('POST', '', body, { 'idempotency-key': 'b' });
    const first = await create();
    const { secret, ...record } = first.body.data;
    const rotate = () => hooks.send('POST', `/${record.id}/rotate-secret`, {}, { 'idempotency-key': 'c' });
    const rotated = (await rotate()).body.data;
    expect((await rotate()).body.data).toEqual(rotated);
    expect(rotated.secret).not.toBe(secret);

    const after = await create();
    expect([after.status, after.headers.etag, after.body.data]).toEqual([201, first.headers.etag, record]);
    await hooks.send('DELETE', `/${record.id}`);
    const gone = await create();
    expect([gone.status, gone.headers['idempotent-replayed'], gone.body.data]).toEqual([201, 'true', record]);
    expect((await rotate()).body.data).toEqual({ ...rotated, secret: undefined });
  });
});

describe('PATCH /webhooks/:id', () => {
  it('200: another address and other events, under the next version', async () => {
    const { id } = await hooks.create(receiver);
    const patch = { url: `${receiver.url}/moved`, events: ['missed_call'] };
    const { status, headers, body } = await hooks.send('PATCH', `/${id}`, patch, { 'if-match': '"1"' });
    expect([status, headers.etag]).toEqual([200, '"2"']);
    expect(body.data).toMatchObject({ id, ...patch, is_active: true });
    const unchanged = await hooks.send('PATCH', `/${id}`, patch);
    expect(unchanged.headers.etag).toBe('"2"');
  });

  it('412 for another version than the present one; of two at once who saw the same one wins', async () => {
    const { id } = await hooks.create(receiver);
    const pause = () => hooks.send('PATCH', `/${id}`, { is_active: false }, { 'if-match': '"1"' });
    const answers = await Promise.all([pause(), pause()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });

  it.each([
    ['no address', { url: 'nowhere' }, 'url'],
    ['credentials', { url: 'https://a:b@example.com' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['no flag', { is_active: 'no' }, 'is_active'],
  ])('422: %s', async (_case, patch, field) => {
    const { id } = await hooks.create(receiver);
    const { status, body } = await hooks.send('PATCH', `/${id}`, patch);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  it('pauses: pending deliveries stay, events meanwhile are skipped; resumed, the pending ones go out', async () => {
    const { id } = await hooks.create(receiver);
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    await world.publish(appointmentEvent(tenantId));
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    const paused = await hooks.send('PATCH', `/${id}`, { is_active: false });
    expect(paused.body.data).toMatchObject({ is_active: false, state: 'paused', disabled_reason: null });
    answer.resolve({ status: 503 });
    await eventually(async () =>
      expect(await hooks.log()).toMatchObject([{ status: 'pending', attempt_count: 1 }]),
    );

    // Another endpoint has got it: so it has been taken in, and passed by the one that is paused.
    const other = await hooks.create(receiver, ['appointment.cancelled']);
    await world.publish(appointmentEvent(tenantId), appointmentEvent(tenantId, 'appointment.cancelled', 2));
    await eventually(async () =>
      expect((await hooks.log()).map((row) => row.endpoint_id)).toEqual([other.id, id]),
    );
    receiver.respondWith(() => ({ status: 200 }));
    const resumed = await hooks.send('PATCH', `/${id}`, { is_active: true });
    expect(resumed.body.data).toMatchObject({ is_active: true, state: 'active' });
    await eventually(async () => {
      const own = await hooks.log(`?endpoint_id=${id}`);
      expect(own).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
    });
  });

  it('resumes one that was disabled: its failures are forgotten, and it gets events again', async () => {
    const { id } = await hooks.create(receiver);
    await world.database.system.run(endEndpoint, { id });
    expect(await hooks.show(id)).toMatchObject({ state: 'disabled', disabled_reason: 'failing' });
    const { body } = await hooks.send('PATCH', `/${id}`, { is_active: true });
    expect(body.data).toMatchObject({
      state: 'active',
      disabled_reason: null,
      health: { consecutive_failures: 0, failing_since: null },
    });
    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('delivered');
  });
});

describe('another tenant’s endpoint, delivery or replay', () => {
  it('404 on every route, as one that there isn’t', async () => {
    const { id } = await hooks.create(receiver);
    const { body: test } = await hooks.send('POST', `/${id}/test`);
    await hooks.settled('delivered');
    const { body: replay } = await hooks.send('POST', `/${id}/replays`, { kind: 'failed' });
    const before = await eventually(async () => {
      const shown = await hooks.show(id);
      expect(shown.health.last_success_at).not.toBeNull();
      return shown;
    });
    const theirs = world.asOperator(uniqueTenantId());
    const calls = [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { is_active: false }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/rotate-secret`],
      ['POST', `/${id}/test`],
      ['GET', `/${id}/replays`],
      ['POST', `/${id}/replays`, { kind: 'failed' }],
      ['GET', `/replays/${replay.data.id}`],
      ['POST', `/replays/${replay.data.id}/cancel`],
      ['GET', `/deliveries/${test.data.id}`],
      ['POST', `/deliveries/${test.data.id}/resend`],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await theirs(method, path, body);
      const unknown = await theirs(method, path.replace(/\d+/, '999999999'), body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    }
    expect((await theirs('GET', `/deliveries?endpoint_id=${id}`)).body.data).toEqual([]);
    expect(await hooks.show(id)).toEqual(before);
  });
});

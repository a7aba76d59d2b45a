import { MAX_ENDPOINTS } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { Webhook } from 'standardwebhooks';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent } from '../sample-events.ts';

describe('POST /webhooks/:id/rotate-secret', () => {
  const endOfOverlap = systemSql<never, { id: number }>(
    'test_end_of_overlap',
    'update endpoints set previous_secret_until = now() where id = $id',
  );

  startForEachTest();

  const nextRequest = async () => {
    const count = receiver.requests.length;
    await world.publish(appointmentEvent(tenantId));
    return eventually(() => {
      const request = receiver.requests[count];
      if (!request) throw new Error('nothing received');
      return { body: request.rawBody, headers: request.headers as Record<string, string> };
    });
  };
  const rotate = (id: number, body?: object, headers?: Record<string, string>) =>
    hooks.send('POST', `/${id}/rotate-secret`, body, headers);

  it('200: for a day a receiver that knows either secret accepts what it gets, and then the new one alone', async () => {
    const { id, secret: old } = await hooks.create(receiver);
    const { status, headers, body } = await rotate(id);
    expect([status, headers.etag]).toEqual([200, '"2"']);
    const { secret, previous_secret_until: until } = body.data;
    expect(body.data).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_until: expect.any(String),
    });
    expect(secret).not.toBe(old);
    const { updated_at, ...shown } = await hooks.show(id);
    expect(shown).toMatchObject({ secret_last_four: secret.slice(-4), previous_secret_until: until });
    // Both by the clock of the database, which all processes share.
    expect(Date.parse(until) - Date.parse(updated_at)).toBe(86_400_000);

    const both = await nextRequest();
    for (const known of [secret, old])
      expect(new Webhook(known).verify(both.body, both.headers)).toEqual(JSON.parse(both.body));
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(both.headers['x-service-signature-previous']).toMatch(/^sha256=[0-9a-f]{64}$/);

    await world.database.system.run(endOfOverlap, { id });
    expect(await hooks.show(id)).toMatchObject({ previous_secret_until: null });
    const alone = await nextRequest();
    expect(new Webhook(secret).verify(alone.body, alone.headers)).toEqual(JSON.parse(alone.body));
    expect(() => new Webhook(old).verify(alone.body, alone.headers)).toThrow('No matching signature');
    expect(alone.headers).not.toHaveProperty('x-service-signature-previous');
  });

  it('of two at once one wins: the secret that receivers know is not thrown away unseen', async () => {
    const { id, secret: old } = await hooks.create(receiver);
    const answers = await Promise.all([rotate(id), rotate(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const request = await nextRequest();
    expect(new Webhook(old).verify(request.body, request.headers)).toBeTruthy();
  });

  it('422 within the day of the last one, unless it is forced: then the first is void at once', async () => {
    const { id, secret: first } = await hooks.create(receiver);
    const second = (await rotate(id)).body.data.secret;
    const refused = await rotate(id);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['force']]);
    const third = (await rotate(id, { force: true })).body.data.secret;
    const request = await nextRequest();
    for (const known of [second, third]) new Webhook(known).verify(request.body, request.headers);
    expect(() => new Webhook(first).verify(request.body, request.headers)).toThrow('No matching signature');
  });

  it('412 on a stale If-Match; once for an Idempotency-Key, with the same secret', async () => {
    const { id } = await hooks.create(receiver);
    expect((await rotate(id, {}, { 'if-match': '"7"' })).status).toBe(412);
    const answers = [
      await rotate(id, {}, { 'idempotency-key': 'a' }),
      await rotate(id, {}, { 'idempotency-key': 'a' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});

describe('POST /webhooks/:id/test', () => {
  startForEachTest();

  it('202: an event to this endpoint alone, whatever it is subscribed to, signed and logged like others', async () => {
    const { id, secret } = await hooks.create(receiver, ['call.ended']);
    await hooks.create(receiver, ['call.ended']);
    const { status, body } = await hooks.send('POST', `/${id}/test`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      id: expect.any(Number),
      endpoint_id: id,
      event: 'endpoint.test',
      status: 'pending',
      attempt_count: 0,
    });
    const [delivery] = await hooks.settled('delivered');
    expect(delivery).toMatchObject({ id: body.data.id, payload: body.data.payload, http_status: 200 });

    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    if (!request) throw new Error('nothing received');
    const payload = new Webhook(secret).verify(request.rawBody, request.headers as Record<string, string>);
    expect(payload).toEqual({
      id: request.headers['webhook-id'],
      event: 'endpoint.test',
      created_at: expect.any(String),
      sequence: 1,
      test: true,
      data: { endpoint_id: id },
    });
  });

  it('422 while the endpoint is paused: nothing is queued', async () => {
    const { id } = await hooks.create(receiver);
    await hooks.send('PATCH', `/${id}`, { is_active: false });
    const { status, body } = await hooks.send('POST', `/${id}/test`);
    expect([status, body.errors]).toEqual([422, { endpoint: ['The endpoint is paused. Resume it first.'] }]);
    expect(await hooks.log()).toEqual([]);
  });

  it('once for an Idempotency-Key', async () => {
    const { id } = await hooks.create(receiver);
    const test = () => hooks.send('POST', `/${id}/test`, undefined, { 'idempotency-key': 'a' });
    const [first, second] = [await test(), await test()];
    expect(second.body).toEqual(first.body);
    await hooks.settled('delivered');
  });

  it('422: nobody can subscribe to it', async () => {
    const { status } = await hooks.send('POST', '', { url: receiver.url, events: ['endpoint.test'] });
    expect(status).toBe(422);
  });
});

describe('POST /webhooks where there are many endpoints already', () => {
  const ADDRESS = { url: 'https://example.com' };
  startForEachTest();

  it('422 beyond as many as there may be, also of those created at once; deleted ones do not count', async () => {
    const post = () => hooks.send('POST', '', { url: ADDRESS.url, events: ['call.ended'] });
    for (let count = 0; count < MAX_ENDPOINTS - 2; count += 1) await hooks.create(ADDRESS);

    const answers = await Promise.all(Array.from({ length: 8 }, post));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 422, 422, 422, 422, 422, 422,
    ]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'validation_failed',
      errors: { url: ['There are already 100 endpoints, the most allowed. Delete one first.'] },
    });
    const { data } = (await hooks.send('GET', '')).body;
    expect(data).toHaveLength(MAX_ENDPOINTS);

    await hooks.send('DELETE', `/${data[0].id}`);
    expect([(await post()).status, (await post()).status]).toEqual([201, 422]);
    await hooksOf(world, uniqueTenantId()).create(ADDRESS);
  });
});

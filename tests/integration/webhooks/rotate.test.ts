import { systemSql } from '@frontdesk/database';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from './each-test.ts';
import { appointmentEvent } from './sample-events.ts';

const endOfOverlap = systemSql<never, [id: number]>(
  'test_end_of_overlap',
  'update endpoints set previous_secret_until = now() where id = $1',
);

describe('POST /webhooks/:id/rotate-secret', () => {
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

    await world.database.system.run(endOfOverlap, id);
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

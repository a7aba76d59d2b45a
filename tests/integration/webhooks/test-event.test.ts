import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { hooksOf } from './hooks.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

describe('POST /webhooks/:id/test', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  let hooks: ReturnType<typeof hooksOf>;

  beforeAll(async () => {
    world = await startWebhooks();
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  beforeEach(() => {
    receiver.requests.length = 0;
    hooks = hooksOf(world, uniqueTenantId());
  });

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

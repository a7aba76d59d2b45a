import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { systemSql } from '@frontdesk/database';
import { Webhook } from 'standardwebhooks';
import {
  eventually,
  freePort,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { takeIn } from '../take-in.ts';

/** More than twice what may be leased of one endpoint here. */
const MANY = 2_000;
const sealedElsewhere = systemSql<never, { tenantId: number }>(
  'test_sealed_elsewhere',
  "update endpoints set secret = 'v1.another-key.' || secret where tenant_id = $tenantId",
);
const putOff = systemSql<{ put_off: number; attempts: number }, { tenantId: number }>(
  'test_put_off',
  `select count(*) filter (where lease_token is null and due_at > now())::integer as put_off,
     sum(attempt_count)::integer as attempts
   from delivery_queue where tenant_id = $tenantId`,
);

describe('deliveries', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;
  let tenantId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
  });

  afterEach(async () => {
    await receiver.close();
    await world.stop();
  });

  const settled = (status: string) =>
    eventually(async () => {
      const delivery = await world.latest(tenantId);
      expect(delivery.status).toBe(status);
      return delivery;
    });

  it('carry both signatures, over the exact bytes sent', async () => {
    const { secret } = await world.subscribe(tenantId, receiver.url);
    const event = appointmentEvent(tenantId);
    await world.receive(event);
    await world.startEngine();
    await settled('delivered');

    const [request] = receiver.requests;
    if (!request) throw new Error('nothing received');
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Frontdesk-Webhooks/1',
      'webhook-id': `evt_${event.event_id}`,
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(request.rawBody).digest('hex')}`,
    });
    const verified = new Webhook(secret).verify(request.rawBody, request.headers as Record<string, string>);
    expect(verified).toEqual(JSON.parse(request.rawBody));
  });

  it('are logged with the receiver’s answer', async () => {
    const endpoint = await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 202, body: 'taken\0 in' }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine();
    expect(await settled('delivered')).toEqual({
      id: expect.any(Number),
      endpoint_id: endpoint.id,
      event: 'appointment.created',
      payload: JSON.parse(receiver.requests[0]?.rawBody ?? ''),
      status: 'delivered',
      http_status: 202,
      duration_ms: expect.any(Number),
      response_body: 'taken\uFFFD in',
      attempt_count: 1,
      next_attempt_at: null,
      delivered_at: expect.any(String),
      created_at: expect.any(String),
      feed_cursor: expect.any(String),
      attempts: [expect.objectContaining({ attempt: 1, http_status: 202, error_class: null })],
    });
  });

  it('that fail are tried three times in all, with the same bytes and id, and then given up', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 500, body: 'broken' }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine();

    const delivery = await settled('failed');
    expect(delivery).toMatchObject({
      attempt_count: 3,
      http_status: 500,
      response_body: 'broken',
      delivered_at: null,
      next_attempt_at: null,
    });
    expect(delivery.attempts.map(({ attempt, error_class }) => [attempt, error_class])).toEqual([
      [1, 'http_status'],
      [2, 'http_status'],
      [3, 'http_status'],
    ]);
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ rawBody }) => rawBody)).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('succeed on the second attempt when the first one fails', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: receiver.requests.length === 1 ? 503 : 200 }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine();
    expect(await settled('delivered')).toMatchObject({ attempt_count: 2, http_status: 200 });
    expect(receiver.requests).toHaveLength(2);
  });

  it('wait as planned: the second attempt is due an hour after the first, give or take a tenth', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 500 }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine({ retryDelaysSeconds: [3_600, 7_200] });
    const delivery = await eventually(async () => {
      const found = await world.latest(tenantId);
      expect(found.attempt_count).toBe(1);
      return found;
    });
    const dueAt = Date.parse(delivery.next_attempt_at ?? '');
    expect(dueAt - Date.parse(delivery.attempts[0]?.started_at ?? '')).toBeGreaterThanOrEqual(3_239_900);
    expect(dueAt - Date.now()).toBeLessThanOrEqual(3_960_000);
    expect(delivery.status).toBe('pending');
  });

  it('that this process can’t sign, however many at once, are put off, and spend no attempt', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.database.system.run(sealedElsewhere, { tenantId });
    const { engine } = await world.startEngine();
    await takeIn(world, engine, ...appointmentEvents(tenantId, MANY));
    await eventually(async () =>
      expect(await world.database.system.one(putOff, { tenantId })).toEqual({ put_off: MANY, attempts: 0 }),
    );
    expect(receiver.requests).toEqual([]);
  });

  it('wait as long as a busy receiver asks', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': '600' } }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine();
    const delivery = await eventually(async () => {
      const found = await world.latest(tenantId);
      expect(found.attempt_count).toBe(1);
      return found;
    });
    const waitMs =
      Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.attempts[0]?.started_at ?? '');
    expect(waitMs).toBeGreaterThanOrEqual(599_000);
  });

  it('to a receiver that answers 410 end at once, disable the endpoint and cancel its pending deliveries', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 410 }));
    await world.receive(...appointmentEvents(tenantId, 5));
    await world.startEngine({ perEndpoint: 1 });

    await eventually(async () => {
      const { rows } = await world.log.page(tenantId, { page: 1, per_page: 10 });
      expect(rows.map(({ status }) => status)).toEqual([
        'cancelled',
        'cancelled',
        'cancelled',
        'cancelled',
        'failed',
      ]);
    });
    expect(receiver.requests).toHaveLength(1);
    expect(await world.endpoints.list(tenantId)).toEqual([expect.objectContaining({ is_active: false })]);
    expect(await world.receive(appointmentEvent(tenantId))).toBe(0);
  });

  it('fail on a redirect, which is not followed', async () => {
    await world.subscribe(tenantId, receiver.url);
    receiver.respondWith(() => ({ status: 302, headers: { location: '/elsewhere' } }));
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine({ retryDelaysSeconds: [] });
    const delivery = await settled('failed');
    expect(delivery).toMatchObject({ http_status: 302, attempts: [{ error_class: 'redirect' }] });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/']);
  });

  it('reach a receiver that was down once it is up again', async () => {
    // On an address of its own: nothing else on this machine takes the port meanwhile.
    const [host, port] = ['127.0.0.77', await freePort()];
    await world.subscribe(tenantId, `http://${host}:${port}`);
    await world.receive(appointmentEvent(tenantId));
    await world.startEngine({ retryDelaysSeconds: Array(19).fill(2) });
    await eventually(async () => expect((await world.latest(tenantId)).attempt_count).toBeGreaterThan(0));
    expect((await world.latest(tenantId)).attempts[0]).toMatchObject({
      http_status: null,
      error_class: 'connect',
    });

    const revived = createServer((_request, response) => response.end('back'));
    await new Promise<void>((resolve) => revived.listen(port, host, resolve));
    try {
      expect(await settled('delivered')).toMatchObject({ http_status: 200, response_body: 'back' });
    } finally {
      revived.close();
      revived.closeAllConnections();
    }
  });

  it('to one endpoint go on while another one hangs, of which no more than its limit is tried', async () => {
    const hanging = await startReceiver();
    hanging.respondWith(() => new Promise(() => {}));
    const hangingTenant = uniqueTenantId();
    try {
      await world.subscribe(hangingTenant, hanging.url);
      await world.subscribe(tenantId, receiver.url);
      await world.receive(...appointmentEvents(hangingTenant, 300));
      const { engine } = await world.startEngine({
        total: 20,
        perEndpoint: 4,
      });
      await eventually(() => expect(hanging.requests).toHaveLength(4));

      await world.receive(...appointmentEvents(tenantId, 50));
      engine.wake();
      await eventually(() => expect(receiver.requests).toHaveLength(50));
      expect(hanging.requests).toHaveLength(4);
    } finally {
      await hanging.close();
    }
  });
});

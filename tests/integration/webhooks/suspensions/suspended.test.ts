import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { aroundNow, replaysOf } from '../replay-world.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';
import { suspensionsOf } from './suspension-world.ts';

const PER_SECOND = 5;

describe('a suspended tenant', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  let neighbourReceiver: Receiver;
  let tenantId: number;
  let neighbourId: number;
  let hooks: ReturnType<typeof hooksOf>;
  let neighbour: ReturnType<typeof hooksOf>;
  let replays: ReturnType<typeof replaysOf>;
  let tenant: ReturnType<typeof suspensionsOf>;
  let endpoint: { id: number };
  let neighbours: { id: number };

  beforeAll(async () => {
    // One at a time, so that what goes out has an order; who failed is tried again when hardly anybody waits for it.
    world = await startWebhooks({
      ENDPOINT_CONCURRENCY: '1',
      REPLAYS_PER_SECOND: String(PER_SECOND),
      RETRY_DELAYS_SECONDS: '3600,0.1',
    });
  });

  afterAll(() => world.stop());

  beforeEach(async () => {
    receiver = await startReceiver();
    neighbourReceiver = await startReceiver();
    tenantId = uniqueTenantId();
    neighbourId = uniqueTenantId();
    hooks = hooksOf(world, tenantId);
    neighbour = hooksOf(world, neighbourId);
    replays = replaysOf(world, tenantId, hooks);
    tenant = suspensionsOf(world, tenantId);
    endpoint = await hooks.create(receiver);
    neighbours = await neighbour.create(neighbourReceiver);
  });

  afterEach(async () => {
    await receiver.close();
    await neighbourReceiver.close();
  });

  const received = () =>
    receiver.requests.map(({ rawBody }) => (JSON.parse(rawBody) as { id: string }).id.replace('evt_', ''));
  const idsOf = (events: readonly { event_id: string }[]) => events.map(({ event_id }) => event_id);
  /** So many of the tenant's deliveries are in the log with this status. */
  const logged = (status: string, count: number) =>
    eventually(async () => expect(await hooks.log(`?status=${status}&per_page=100`)).toHaveLength(count));
  /** Deliveries go on beside the suspended tenant: what could have been sent to it in that time has been. */
  const neighboursGoOn = async () => {
    const before = neighbourReceiver.requests.length;
    await world.publish(...appointmentEvents(neighbourId, 3 * PER_SECOND));
    await eventually(() => expect(neighbourReceiver.requests).toHaveLength(before + 3 * PER_SECOND));
  };

  it('gets nothing; resumed, it gets what waited, what was to be retried and what came in, the oldest first', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const failed = appointmentEvent(tenantId);
    await world.publish(failed);
    await eventually(async () =>
      expect(await hooks.log()).toMatchObject([{ status: 'pending', attempt_count: 1 }]),
    );
    receiver.respondWith(() => ({ status: 200 }));
    await tenant.suspend();

    const meanwhile = appointmentEvents(tenantId, 3 * PER_SECOND);
    await world.publish(...meanwhile);
    await logged('pending', 1 + meanwhile.length);
    await neighboursGoOn();
    expect(received()).toEqual([failed.event_id]);

    await tenant.resume();
    await logged('delivered', 1 + meanwhile.length);
    expect(received()).toEqual([failed.event_id, failed.event_id, ...idsOf(meanwhile)]);
  });

  it('lets the attempt under way end; what is leased and not sent goes back to the queue', async () => {
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    const events = appointmentEvents(tenantId, 10);
    await world.publish(...events);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await tenant.suspend();
    await tenant.leased(1);
    answer.resolve({ status: 200 });
    await tenant.leased(0);
    await neighboursGoOn();
    await logged('delivered', 1);
    expect(receiver.requests).toHaveLength(1);

    await tenant.resume();
    await logged('delivered', 10);
    expect(received().toSorted()).toEqual(idsOf(events).toSorted());
  });

  it('has its replays wait; they go on where they were', async () => {
    const events = appointmentEvents(tenantId, 4 * PER_SECOND);
    await replays.skip(endpoint.id, ...events);
    const { body } = await replays.start(endpoint.id, aroundNow());
    const shown = async () => (await hooks.send('GET', `/replays/${body.data.id}`)).body.data;
    await replays.heldWhile(body.data.id, tenant.suspend);
    await tenant.leased(0);
    const { queued } = await shown();
    const count = receiver.requests.length;
    // As long as several batches take.
    await neighboursGoOn();
    await replaysOf(world, neighbourId, neighbour).replay(neighbours.id, {
      ...aroundNow(),
      include_delivered: true,
    });
    expect(await shown()).toMatchObject({ queued, status: 'running' });
    expect(receiver.requests).toHaveLength(count);

    await tenant.resume();
    await replays.done(body.data.id);
    await eventually(() => expect(receiver.requests).toHaveLength(events.length));
    expect(received().toSorted()).toEqual(idsOf(events).toSorted());
  });

  it('suspended again while its deliveries go out, waits again; resumed, gets the rest, each once and in order', async () => {
    await tenant.suspend();
    const events = appointmentEvents(tenantId, 5 * PER_SECOND);
    await world.publish(...events);
    await logged('pending', events.length);
    const last = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => (receiver.requests.length < PER_SECOND ? { status: 200 } : last.promise));
    await tenant.resume();
    await eventually(() => expect(receiver.requests).toHaveLength(PER_SECOND));
    await tenant.become('active', 'suspended', 'active', 'suspended');
    await tenant.leased(1);
    last.resolve({ status: 200 });
    await tenant.leased(0);
    await neighboursGoOn();
    expect(receiver.requests).toHaveLength(PER_SECOND);

    await tenant.become('active', 'suspended', 'active');
    await logged('delivered', events.length);
    expect(received()).toEqual(idsOf(events));
  });

  it('403: test, resend and replay, for operators too; its admins change nothing and see everything', async () => {
    await world.publish(appointmentEvent(tenantId));
    const [delivery] = await hooks.settled('delivered');
    await tenant.suspend();
    const path = `/internal/tenants/${tenantId}/webhooks`;
    const asAdmin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest = '', body?: object) =>
      world.request({ method, path: `${path}${rest}`, role: 'admin', tenantId, ...(body && { body }) });
    const refused: { status: number; body: { code: string } }[] = await Promise.all([
      hooks.send('POST', `/${endpoint.id}/test`),
      hooks.send('POST', `/deliveries/${delivery?.id}/resend`),
      hooks.send('POST', `/${endpoint.id}/replays`, { kind: 'failed' }),
      asAdmin('POST', '', { url: receiver.url, events: ['appointment.created'] }),
      asAdmin('PATCH', `/${endpoint.id}`, { is_active: false }),
      asAdmin('DELETE', `/${endpoint.id}`),
      asAdmin('POST', `/${endpoint.id}/rotate-secret`, {}),
    ]);
    for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'tenant_suspended']);
    expect((await asAdmin('GET')).body.data).toHaveLength(1);
    // An operator's endpoint is held from its beginning.
    const { id } = await hooks.create(receiver, ['appointment.updated']);
    expect((await hooks.send('POST', `/${id}/test`)).status).toBe(403);

    await tenant.resume();
    expect((await asAdmin('POST', `/${endpoint.id}/test`)).status).toBe(202);
    await eventually(() => expect(receiver.requests).toHaveLength(2));
  });
});

describe('a service that is stopped while a resumed tenant’s deliveries go out', () => {
  const closings: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });

  it('goes on where it was', async () => {
    const env = { ENDPOINT_CONCURRENCY: '1', REPLAYS_PER_SECOND: String(PER_SECOND) };
    const receiver = await startReceiver();
    closings.push(receiver.close);
    const first = await startWebhooks(env);
    closings.push(first.stop);
    const tenantId = uniqueTenantId();
    const hooks = hooksOf(first, tenantId);
    const tenant = suspensionsOf(first, tenantId);
    await hooks.create(receiver);
    await tenant.suspend();
    const events = appointmentEvents(tenantId, 4 * PER_SECOND);
    await first.publish(...events);
    await eventually(async () => expect(await hooks.log('?per_page=100')).toHaveLength(events.length));
    await tenant.resume();
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(PER_SECOND));
    await first.stopService();

    const second = await startWebhooks(env, first);
    closings.push(second.stop);
    await eventually(() => expect(receiver.requests).toHaveLength(events.length));
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual(events.map(({ event_id }) => `evt_${event_id}`));
  });
});

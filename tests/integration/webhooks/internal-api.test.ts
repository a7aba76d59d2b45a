import { type Delivery, ENDPOINT_SCOPES } from '@frontdesk/contracts';
import { eventually, uniqueTenantId } from '../../support/index.ts';
import { receiver, startForEachTest, tenantId, world } from './each-test.ts';
import { appointmentEvent, customerEvent } from './sample-events.ts';

describe('the internal API', () => {
  let base: string;
  startForEachTest();
  beforeEach(() => {
    base = `/internal/tenants/${tenantId}/webhooks`;
  });

  const create = (body: object, path = base) => world.request({ method: 'POST', path, body });
  const createHook = async (events = ['appointment.created', 'customer.created']) =>
    (await create({ url: `${receiver.url}/hook`, events })).body.data as { id: number };
  const log = async (query = '') =>
    (await world.request({ path: `${base}/deliveries${query}` })).body as {
      data: Delivery[];
      meta: { page: number; per_page: number; total: number };
    };
  const delivered = (count: number) =>
    eventually(async () => {
      const { data } = await log();
      expect(data.filter(({ status }) => status === 'delivered')).toHaveLength(count);
      return data;
    });

  it('201: creates an endpoint and shows its secret this once', async () => {
    const { status, body } = await create({
      url: 'https://example.com/hook',
      events: ['missed_call', 'missed_call'],
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.any(Number),
          url: 'https://example.com/hook',
          events: ['missed_call'],
          scopes: [...ENDPOINT_SCOPES],
          is_active: true,
          created_at: expect.any(String),
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        },
      },
    });
    const { secret: _, ...shown } = body.data;
    expect((await world.request({ path: base })).body).toMatchObject({ success: true, data: [shown] });
  });

  it.each([
    ['nothing', {}, { url: ['The url field is required.'], events: ['The events field is required.'] }],
    [
      'no events',
      { url: 'https://example.com', events: [] },
      { events: ['The events field must name at least one event.'] },
    ],
    [
      'another scheme',
      { url: 'ftp://example.com', events: ['call.ended'] },
      { url: ['The url field must be an http or https address.'] },
    ],
    [
      'another scheme and no events',
      { url: 'ftp://x', events: [] },
      {
        url: ['The url field must be an http or https address.'],
        events: ['The events field must name at least one event.'],
      },
    ],
    [
      'a url that is none and a name of no event',
      { url: 'x', events: ['tenant.created'] },
      { url: ['The url field must be an http or https address.'], 'events.0': [expect.any(String)] },
    ],
    [
      'credentials',
      { url: 'https://a:b@example.com', events: ['call.ended'] },
      { url: ['The url field must not contain credentials.'] },
    ],
    [
      'a url of more than 2048 characters',
      { url: `https://example.com/${'x'.repeat(2_048)}`, events: ['call.ended'] },
      { url: ['The url field must be at most 2048 characters.'] },
    ],
  ])('422: refuses %s', async (_case, body, errors) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ success: false, code: 'validation_failed', errors });
  });

  it('422: refuses an event that nobody can subscribe to', async () => {
    const answer = await create({ url: 'https://example.com', events: ['tenant.created'] });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['events.0']);
  });

  it('200: deletes an endpoint once, and keeps its log', async () => {
    const { id } = await createHook();
    await world.publish(appointmentEvent(tenantId));
    await delivered(1);
    const remove = () => world.request({ method: 'DELETE', path: `${base}/${id}` });
    expect(await remove()).toEqual({ status: 200, body: { success: true, data: { id, deleted: true } } });
    expect(await remove()).toMatchObject({ status: 404, body: { message: 'Webhook endpoint not found.' } });
    expect((await world.request({ path: base })).body.data).toEqual([]);
    expect((await log()).data).toMatchObject([{ endpoint_id: id, status: 'delivered' }]);
  });

  it('200: cancels the pending deliveries of a deleted endpoint', async () => {
    const { id } = await createHook();
    receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await world.publish(appointmentEvent(tenantId));
    await eventually(async () =>
      expect((await log()).data).toMatchObject([{ attempt_count: 1, status: 'pending' }]),
    );
    await world.request({ method: 'DELETE', path: `${base}/${id}` });
    expect((await log()).data).toMatchObject([
      { attempt_count: 1, status: 'cancelled', http_status: 503, next_attempt_at: null },
    ]);
  });

  it('200: pages the delivery log, newest first, with the payload as sent', async () => {
    const { id } = await createHook(['appointment.created']);
    const other = await createHook(['customer.created']);
    for (const event of [appointmentEvent(tenantId), customerEvent(tenantId), appointmentEvent(tenantId)]) {
      const { total } = (await log()).meta;
      await world.publish(event);
      await delivered(total + 1);
    }
    const first = await log('?per_page=2');
    expect(first.meta).toEqual({ page: 1, per_page: 2, total: 3, next_cursor: expect.any(String) });
    expect(first.data.map(({ event }) => event)).toEqual(['appointment.created', 'customer.created']);
    const second = await log('?per_page=2&page=2');
    expect(second.data.map(({ endpoint_id }) => endpoint_id)).toEqual([id]);
    expect((await log(`?endpoint_id=${other.id}`)).data.map(({ event }) => event)).toEqual([
      'customer.created',
    ]);
    const payloads = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody) as object);
    expect(payloads).toEqual(
      expect.arrayContaining([...first.data, ...second.data].map(({ payload }) => payload)),
    );
  });

  it('200: shows one delivery with its attempts', async () => {
    await createHook();
    receiver.respondWith(({ path }) => ({ status: 500, body: path }));
    await world.publish(appointmentEvent(tenantId));
    const delivery = await eventually(async () => {
      const [latest] = (await log()).data;
      expect(latest).toMatchObject({ status: 'failed', feed_cursor: expect.any(String) });
      return latest;
    });
    const { status, body } = await world.request({ path: `${base}/deliveries/${delivery?.id}` });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...delivery,
      attempts: [1, 2, 3].map((attempt) => ({
        attempt,
        request_headers: expect.objectContaining({ 'webhook-id': expect.any(String) }),
        response_headers: expect.objectContaining({ date: expect.any(String) }),
        started_at: expect.any(String),
        duration_ms: expect.any(Number),
        http_status: 500,
        error_class: 'http_status',
        response_body: '/hook',
      })),
    });
  });

  it('404: another tenant’s endpoints and deliveries are as good as not there', async () => {
    const { id } = await createHook();
    await world.publish(appointmentEvent(tenantId));
    const [delivery] = await delivered(1);
    const other = `/internal/tenants/${uniqueTenantId()}/webhooks`;

    expect(await world.request({ method: 'DELETE', path: `${other}/${id}` })).toMatchObject({ status: 404 });
    expect(await world.request({ path: `${other}/deliveries/${delivery?.id}` })).toMatchObject({
      status: 404,
    });
    expect((await world.request({ path: `${other}/deliveries?endpoint_id=${id}` })).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect((await world.request({ path: other })).body.data).toEqual([]);
    expect((await world.request({ path: base })).body.data).toHaveLength(1);
  });

  it('lets an admin in to their own tenant only', async () => {
    expect(await world.request({ path: base, role: 'admin', tenantId })).toMatchObject({ status: 200 });
    const other = uniqueTenantId();
    expect(await world.request({ path: base, role: 'admin', tenantId: other })).toMatchObject({
      status: 404,
    });
  });

  it.each([
    ['401', null],
    ['403', 'integrator'],
    ['403', 'service'],
  ] as const)('%s: answers nothing to the role %s', async (status, role) => {
    expect(await world.request({ path: base, role, tenantId })).toMatchObject({ status: Number(status) });
  });

  it.each(['0', '-1', 'abc', '99999999999999999999'])('404: the id %s names nothing', async (id) => {
    expect(await world.request({ method: 'DELETE', path: `${base}/${id}` })).toMatchObject({
      status: 404,
      body: { message: 'Webhook endpoint not found.' },
    });
    expect(await world.request({ path: `${base}/deliveries/${id}` })).toMatchObject({
      status: 404,
      body: { message: 'Delivery not found.' },
    });
  });
});

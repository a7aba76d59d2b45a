import { ENDPOINT_SCOPES, MAX_ENDPOINTS, RECORDS, type Scope } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';

startForEachTest();

const ALL: readonly Scope[] = ['webhooks:write', ...ENDPOINT_SCOPES];
const without = (...scopes: Scope[]) => ALL.filter((scope) => !scopes.includes(scope));
const as = (scopes: readonly Scope[]) => world.asIntegrator(tenantId, scopes);
type Sent = Parameters<ReturnType<typeof as>>;
const api = (...sent: Sent) => as(ALL)(...sent);

const create = async (fields: object = {}) => {
  const { status, body } = await api('POST', '/webhooks', {
    url: `${receiver.url}/hook`,
    events: ['appointment.created'],
    ...fields,
  });
  expect(status).toBe(201);
  return body.data;
};
const delivered = (id: number) =>
  eventually(async () => {
    const { body } = await api('GET', `/webhook-deliveries/${id}`);
    expect(body.data.status).toBe('delivered');
    return body.data;
  });

describe('endpoints by API', () => {
  it('201: shows the secret this once, where the endpoint is, and its ETag', async () => {
    const body = { url: `${receiver.url}/hook`, events: ['appointment.created', 'missed_call'] };
    const made = await api('POST', '/webhooks', body);
    const { secret, ...shown } = made.body.data;
    expect([made.status, made.headers.location]).toEqual([201, `/api/v1/webhooks/${shown.id}`]);
    expect(RECORDS.Webhook.strict().parse(made.body.data)).toEqual(made.body.data);
    expect(shown).toEqual({
      id: expect.any(Number),
      ...body,
      scopes: [...ENDPOINT_SCOPES],
      headers: [],
      is_active: true,
      state: 'active',
      disabled_reason: null,
      last_success_at: null,
      last_failure_at: null,
      last_failure: null,
      failing_since: null,
      secret_last_four: secret.slice(-4),
      previous_secret_until: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const found = await api('GET', `/webhooks/${shown.id}`);
    expect([found.status, found.headers.etag, found.body.data]).toEqual([200, made.headers.etag, shown]);
    expect((await api('GET', '/webhooks')).body).toEqual({ success: true, data: [shown] });

    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('delivered');
    const [request] = receiver.requests;
    expect(
      new Webhook(secret).verify(request?.rawBody ?? '', request?.headers as Record<string, string>),
    ).toBeTruthy();
    await eventually(async () => {
      const now = await api('GET', `/webhooks/${shown.id}`);
      expect(now.body.data.last_success_at).toEqual(expect.any(String));
      expect(now.headers.etag).not.toBe(made.headers.etag);
    });
  });

  it('once for an Idempotency-Key, with its secret as long as the endpoint is what it was', async () => {
    const body = {
      url: `${receiver.url}/hook`,
      events: ['appointment.created'],
      headers: { 'x-key': 'abc' },
    };
    const again = () => api('POST', '/webhooks', body, { 'idempotency-key': 'a' });
    const [first, second] = [await again(), await again()];
    expect([second.status, second.body, second.headers.location]).toEqual([
      201,
      first.body,
      first.headers.location,
    ]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect((await api('GET', '/webhooks')).body.data).toHaveLength(1);
    const { secret: _, ...shown } = first.body.data;
    await api('PATCH', `/webhooks/${shown.id}`, { is_active: false });
    expect((await again()).body.data).toEqual(shown);
    const other = await api(
      'POST',
      '/webhooks',
      { ...body, headers: { 'x-key': 'other' } },
      { 'idempotency-key': 'a' },
    );
    expect(other.status).toBe(422);
  });

  it('200: changes what is sent, pauses and resumes; 412 for a version that is not the present one', async () => {
    const { id } = await create();
    const { etag = '' } = (await api('GET', `/webhooks/${id}`)).headers;
    const ifMatch = { 'if-match': String(etag) };
    const paused = await api('PATCH', `/webhooks/${id}`, { is_active: false }, ifMatch);
    expect(paused.body.data).toMatchObject({ is_active: false, state: 'paused', disabled_reason: null });
    expect((await api('PATCH', `/webhooks/${id}`, { is_active: true }, ifMatch)).status).toBe(412);
    expect((await api('DELETE', `/webhooks/${id}`, undefined, ifMatch)).status).toBe(412);
    expect((await api('POST', `/webhooks/${id}/roll-secret`, {}, ifMatch)).status).toBe(412);
    expect((await api('POST', `/webhooks/${id}/test`)).status).toBe(422);
    const patch = { is_active: true, url: `${receiver.url}/moved`, events: ['customer.created'] };
    const resumed = await api('PATCH', `/webhooks/${id}`, patch, { 'if-match': String(paused.headers.etag) });
    expect(resumed.body.data).toMatchObject({ ...patch, state: 'active' });
    expect((await api('PATCH', `/webhooks/${id}`)).body.data).toEqual(resumed.body.data);
    await world.publish(customerEvent(tenantId));
    await hooks.settled('delivered');
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/moved']);
  });

  it('200: rolls the secret, shows the new one this once, and signs with both for a day', async () => {
    const { id, secret: old } = await create();
    const roll = (body?: object, headers?: Record<string, string>) =>
      api('POST', `/webhooks/${id}/roll-secret`, body, headers);
    const rolled = await roll(undefined, { 'idempotency-key': 'a' });
    const { secret, ...shown } = rolled.body.data;
    expect([rolled.status, secret === old]).toEqual([200, false]);
    expect(shown).toMatchObject({
      id,
      secret_last_four: secret.slice(-4),
      previous_secret_until: expect.any(String),
    });
    expect((await roll(undefined, { 'idempotency-key': 'a' })).body.data).toEqual(rolled.body.data);
    const found = await api('GET', `/webhooks/${id}`);
    expect([found.body.data, found.headers.etag]).toEqual([shown, rolled.headers.etag]);
    const refused = await roll();
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['force']]);
    await delivered((await api('POST', `/webhooks/${id}/test`)).body.data.id);
    const [request] = receiver.requests;
    for (const known of [old, secret])
      new Webhook(known).verify(request?.rawBody ?? '', request?.headers as Record<string, string>);
    expect((await roll({ force: true })).body.data.secret).not.toBe(secret);
  });

  it('200: deletes once; the log stays', async () => {
    const { id } = await create();
    const { id: deliveryId } = (await api('POST', `/webhooks/${id}/test`)).body.data;
    await delivered(deliveryId);
    const remove = () => api('DELETE', `/webhooks/${id}`);
    expect((await remove()).body).toEqual({ success: true, data: { id, deleted: true } });
    expect((await remove()).body).toMatchObject({
      code: 'not_found',
      message: 'Webhook endpoint not found.',
    });
    expect((await api('GET', '/webhooks')).body.data).toEqual([]);
    expect((await api('GET', `/webhook-deliveries/${deliveryId}`)).status).toBe(200);
  });

  it('the log: lists without payloads, one delivery with its attempts, and sends it again', async () => {
    const { id } = await create();
    const other = await create({ events: ['customer.created'] });
    await world.publish(appointmentEvent(tenantId));
    await hooks.settled('delivered');
    const tested = await api('POST', `/webhooks/${other.id}/test`, undefined, { 'idempotency-key': 'a' });
    expect([tested.status, tested.body.data]).toEqual([
      202,
      expect.objectContaining({ endpoint_id: other.id, event: 'endpoint.test' }),
    ]);
    await delivered(tested.body.data.id);
    expect(
      (await api('POST', `/webhooks/${other.id}/test`, undefined, { 'idempotency-key': 'a' })).body,
    ).toEqual(tested.body);

    const first = await api('GET', '/webhook-deliveries?per_page=1');
    expect(first.body.meta).toEqual({ page: 1, per_page: 1, total: 2, next_cursor: expect.any(String) });
    const next = await api('GET', `/webhook-deliveries?per_page=1&cursor=${first.body.meta.next_cursor}`);
    expect([...first.body.data, ...next.body.data].map(({ event }: { event: string }) => event)).toEqual([
      'endpoint.test',
      'appointment.created',
    ]);
    const own = (await api('GET', `/webhook-deliveries?endpoint_id=${id}&status=delivered`)).body.data;
    for (const entry of own) expect(RECORDS.WebhookDeliveryListEntry.strict().parse(entry)).toEqual(entry);
    expect(own).toHaveLength(1);
    const { body } = await api('GET', `/webhook-deliveries/${own[0].id}`);
    expect(RECORDS.WebhookDelivery.strict().parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({ ...own[0], attempts: [{ attempt: 1, http_status: 200 }] });
    expect(body.data.payload).toEqual(JSON.parse(receiver.requests[0]?.rawBody ?? ''));

    const resent = await api('POST', `/webhook-deliveries/${own[0].id}/resend`);
    expect([resent.status, resent.body.data.id]).toEqual([202, own[0].id]);
    await eventually(async () =>
      expect((await api('GET', `/webhook-deliveries/${own[0].id}`)).body.data).toMatchObject({
        status: 'delivered',
        attempt_count: 2,
      }),
    );
    expect((await api('GET', '/webhook-deliveries?id=1')).status).toBe(422);
  });
});

describe('what a key may do with endpoints', () => {
  const lacking = (scope: Scope) => [403, 'insufficient_scope', { scope }];
  const refusal = async (scopes: readonly Scope[], ...sent: Sent) => {
    const { status, body } = await as(scopes)(...sent);
    return [status, body.code, body.data];
  };

  it('403 on every operation without webhooks:write', async () => {
    const { id } = await create();
    for (const [method, path, body] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { url: receiver.url, events: ['call.ended'] }],
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, {}],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/roll-secret`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', '/webhook-deliveries'],
      ['GET', '/webhook-deliveries/1'],
      ['POST', '/webhook-deliveries/1/resend'],
    ] as const)
      expect([method, path, ...(await refusal(without('webhooks:write'), method, path, body))]).toEqual([
        method,
        path,
        ...lacking('webhooks:write'),
      ]);
  });

  it('gives no endpoint more than it has itself, and changes and uses only those whose scopes it has', async () => {
    const less = without('customers:read');
    const body = { url: receiver.url, events: ['appointment.created'] };
    const made = await as(less)('POST', '/webhooks', body);
    expect(made.body.data.scopes).toEqual(ENDPOINT_SCOPES.filter((scope) => scope !== 'customers:read'));
    expect(await refusal(less, 'POST', '/webhooks', { ...body, events: ['customer.created'] })).toEqual(
      lacking('customers:read'),
    );
    const { id } = await create();
    const { id: deliveryId } = (await api('POST', `/webhooks/${id}/test`)).body.data;
    await delivered(deliveryId);
    for (const [method, path, sent] of [
      ['PATCH', `/webhooks/${id}`, { headers: { 'x-mine': '1' } }],
      ['PATCH', `/webhooks/${id}`, { url: `${receiver.url}/mine` }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/roll-secret`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhook-deliveries/${deliveryId}/resend`],
    ] as const)
      expect([path, ...(await refusal(less, method, path, sent))]).toEqual([
        path,
        ...lacking('customers:read'),
      ]);
  });

  it('sees deliveries of events that its scopes open', async () => {
    await create({ events: ['appointment.created', 'customer.created'] });
    await world.publish(appointmentEvent(tenantId), customerEvent(tenantId));
    await hooks.settled('delivered', 'delivered');
    const less = without('customers:read');
    const { body } = await as(less)('GET', '/webhook-deliveries');
    expect(body.data.map(({ event }: { event: string }) => event)).toEqual(['appointment.created']);
    expect(await refusal(less, 'GET', '/webhook-deliveries?event=customer.created')).toEqual(
      lacking('customers:read'),
    );
    const [hidden] = (await api('GET', '/webhook-deliveries?event=customer.created')).body.data;
    expect(await refusal(less, 'GET', `/webhook-deliveries/${hidden.id}`)).toEqual(lacking('customers:read'));
  });

  it('404 for everything of another tenant, as for what there isn’t', async () => {
    const { id } = await create();
    const { id: deliveryId } = (await api('POST', `/webhooks/${id}/test`)).body.data;
    await delivered(deliveryId);
    const theirs = world.asIntegrator(uniqueTenantId(), ALL);
    for (const [method, path, body] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { is_active: false }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/roll-secret`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhook-deliveries/${deliveryId}`],
      ['POST', `/webhook-deliveries/${deliveryId}/resend`],
    ] as const) {
      const answer = await theirs(method, path, body);
      const unknown = await theirs(method, path.replace(/\d+/, '999999999'), body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    }
    expect((await theirs('GET', '/webhooks')).body.data).toEqual([]);
    expect((await theirs('GET', `/webhook-deliveries?endpoint_id=${id}`)).body.data).toEqual([]);
    expect((await api('GET', `/webhooks/${id}`)).body.data).toMatchObject({ is_active: true });
  });
});

describe('what is no endpoint', () => {
  const good = { url: 'https://example.com/hook', events: ['call.ended'] };

  it.each([
    ['nothing', {}, ['events', 'url']],
    ['another scheme', { ...good, url: 'ftp://example.com' }, ['url']],
    ['credentials', { ...good, url: 'https://a:b@example.com' }, ['url']],
    ['a URL of another type', { ...good, url: ['https://example.com'] }, ['url']],
    ['no events', { ...good, events: [] }, ['events']],
    ['an event that nobody can subscribe to', { ...good, events: ['endpoint.test'] }, ['events.0']],
    ['scopes of a person', { ...good, scopes: ['settings:keys'] }, ['scopes.0']],
    ['events that its scopes do not open', { ...good, scopes: ['customers:read'] }, ['events']],
  ])('422: %s', async (_case, body, fields) => {
    const { status, body: refused } = await api('POST', '/webhooks', body);
    expect([status, Object.keys(refused.errors ?? {}).toSorted()]).toEqual([422, fields]);
    expect((await api('GET', '/webhooks')).body.data).toEqual([]);
  });

  it('422 beyond as many as a business may have, those of the settings counted', async () => {
    for (let count = 0; count < MAX_ENDPOINTS; count += 1) await hooks.create({ url: 'https://example.com' });
    const { status, body } = await api('POST', '/webhooks', good);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['url']]);
    expect((await api('GET', '/webhooks')).body.data).toHaveLength(MAX_ENDPOINTS);
  });
});

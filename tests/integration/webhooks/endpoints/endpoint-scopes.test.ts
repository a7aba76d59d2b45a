import { ENDPOINT_SCOPES, EXAMPLES, type Scope } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventOf, eventually } from '../../../support/index.ts';
import { receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';

startForEachTest();

const ALL: readonly Scope[] = ['webhooks:write', ...ENDPOINT_SCOPES];
const without = (...scopes: Scope[]) => ALL.filter((scope) => !scopes.includes(scope));
const as = (
  scopes: readonly Scope[],
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) =>
  world.request({
    method,
    path: `/internal/tenants/${tenantId}/webhooks${path}`,
    role: 'admin',
    tenantId,
    scopes,
    ...(body && { body }),
  });
const subscribeAsBefore = systemSql<never, { id: number; events: string[] }>(
  'test_subscribe_endpoint',
  'update endpoints set events = $events, version = version + 1, updated_at = now() where id = $id',
);
const refusalOf = ({ status, body }: { status: number; body: { code?: string; data?: object } }) => [
  status,
  body.code,
  body.data,
];
const lacking = (scope: Scope) => [403, 'insufficient_scope', { scope }];
const callEvent = () => eventOf('call.ended', tenantId, { ...EXAMPLES.call, test: undefined }, 1);
const add = async (scopes: readonly Scope[], fields: object = {}) => {
  const body = { url: receiver.url, events: ['appointment.created', 'call.ended'], ...fields };
  return as(scopes, 'POST', '', body);
};

describe('an endpoint is sent what its maker may see', () => {
  it('has the scopes of its maker, or those of them that it is given', async () => {
    expect((await add(ALL)).body.data.scopes).toEqual(ENDPOINT_SCOPES);
    expect((await add(without('calls:transcripts'))).body.data.scopes).toEqual(
      ENDPOINT_SCOPES.filter((scope) => scope !== 'calls:transcripts'),
    );
    const narrow = await add(ALL, { scopes: ['calls:read', 'appointments:read'] });
    expect(narrow.body.data.scopes).toEqual(['appointments:read', 'calls:read']);
  });

  it('403 for events of records that its maker may not see, 422 for those that it has no scope for', async () => {
    expect(refusalOf(await add(without('calls:read')))).toEqual(lacking('calls:read'));
    const given = await add(without('calls:transcripts'), { scopes: ['calls:transcripts'] });
    expect(refusalOf(given)).toEqual(lacking('calls:transcripts'));
    const closed = await add(ALL, { scopes: ['appointments:read'] });
    expect([closed.status, Object.keys(closed.body.errors)]).toEqual([422, ['events']]);
    for (const scopes of ['calls:read', [], ['customers:erase'], [1], null])
      expect((await add(ALL, { scopes })).status).toBe(422);
  });

  it('can be changed, deleted and used only by whoever may see all that it is sent', async () => {
    const { id } = (await add(ALL)).body.data;
    const less = without('customers:read');
    for (const [method, path, body] of [
      ['PATCH', `/${id}`, { is_active: false }],
      ['PATCH', `/${id}`, { url: `${receiver.url}/mine` }],
      ['POST', `/${id}/rotate-secret`, {}],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/replays`, { kind: 'failed' }],
      ['DELETE', `/${id}`],
    ] as const)
      expect([path, ...refusalOf(await as(less, method, path, body))]).toEqual([
        path,
        ...lacking('customers:read'),
      ]);
    const { id: replay } = (await as(ALL, 'POST', `/${id}/replays`, { kind: 'failed' })).body.data;
    expect(refusalOf(await as(less, 'POST', `/replays/${replay}/cancel`))).toEqual(lacking('customers:read'));
    expect((await as(ALL, 'POST', `/replays/${replay}/cancel`)).status).toBe(200);
    expect((await as(ALL, 'GET', `/${id}`)).body.data).toMatchObject({ state: 'active', url: receiver.url });
    const closed = (await add(ALL, { scopes: ['appointments:read'], events: ['appointment.created'] })).body
      .data;
    const wider = await as(ALL, 'PATCH', `/${closed.id}`, { events: ['call.ended'] });
    expect([wider.status, Object.keys(wider.body.errors)]).toEqual([422, ['events']]);
    expect((await as(ALL, 'DELETE', `/${id}`)).status).toBe(200);
  });

  it('403 for a repetition with the same Idempotency-Key by whoever may not change it: no secret is shown twice', async () => {
    const body = { url: receiver.url, events: ['appointment.created'] };
    const repeat = (scopes: readonly Scope[], path: string, key: string, fields: object) =>
      world.asIntegrator(tenantId, scopes)('POST', `/webhooks${path}`, fields, { 'idempotency-key': key });
    const made = await repeat(ALL, '', 'make-1', body);
    const { id } = made.body.data;
    const less = without('customers:read');
    for (const [path, key, fields] of [
      ['', 'make-1', body],
      [`/${id}/roll-secret`, 'roll-1', {}],
    ] as const) {
      const first = await repeat(ALL, path, key, fields);
      expect(first.body.data.secret).toMatch(/^whsec_/);
      const refused = await repeat(less, path, key, fields);
      expect(refusalOf(refused)).toEqual(lacking('customers:read'));
      expect(refused.body.data).not.toHaveProperty('secret');
      expect((await repeat(ALL, path, key, fields)).body.data).toEqual(first.body.data);
    }
  });

  it('gets nothing that its scopes don’t open, also where a process of 0.1.0 has subscribed it to more', async () => {
    const { id } = (await add(ALL, { scopes: ['appointments:read'], events: ['appointment.created'] })).body
      .data;
    const subscribe = (events: string[]) => world.database.system.run(subscribeAsBefore, { id, events });
    await subscribe(['appointment.created', 'call.ended', 'customer.created']);
    await world.publish(callEvent(), customerEvent(tenantId), appointmentEvent(tenantId));
    await eventually(async () =>
      expect(
        (await world.feed(tenantId, '', tenantId, ['events:read', ...ENDPOINT_SCOPES])).body.data,
      ).toHaveLength(3),
    );
    const names = async () =>
      (await as(ALL, 'GET', '/deliveries')).body.data.map(({ event }: { event: string }) => event);
    await eventually(async () => expect(await names()).toEqual(['appointment.created']));
    const window = {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    };
    const replay = await as(ALL, 'POST', `/${id}/replays`, window);
    expect(replay.body.data).toMatchObject({ total: 1 });
    await eventually(async () =>
      expect((await as(ALL, 'GET', `/${id}/replays`)).body.data).toMatchObject([{ status: 'done' }]),
    );
    expect(await names()).toEqual(['appointment.created']);
  });

  it('without calls:transcripts gets calls without what was said, the same at every attempt', async () => {
    receiver.respondWith(() => ({ status: receiver.requests.length < 2 ? 500 : 200 }));
    await add(ALL, { scopes: ['calls:read'], events: ['call.completed'] });
    await world.publish(callEvent());
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(2));
    const [first, second] = receiver.requests.map(({ rawBody }) => String(rawBody));
    expect(second).toBe(first);
    const { event, data } = JSON.parse(first ?? '{}');
    expect(event).toBe('call.completed');
    expect(data).toMatchObject({ id: EXAMPLES.call.id, summary: null, transcript: [], recording_url: null });
  });
});

describe('the log and the feed show what their reader may see', () => {
  it('deliveries of other records are not there, and calls have no words', async () => {
    await add(ALL);
    await world.publish(appointmentEvent(tenantId), callEvent());
    await eventually(async () => expect((await as(ALL, 'GET', '/deliveries')).body.data).toHaveLength(2));
    const { data } = (await as(ALL, 'GET', '/deliveries')).body;
    const call = data.find(({ event }: { event: string }) => event === 'call.ended');
    expect(call.payload.data.transcript).toEqual(EXAMPLES.call.transcript);

    const mute = await as(without('calls:transcripts'), 'GET', `/deliveries/${call.id}`);
    expect(mute.body.data.payload.data).toMatchObject({ summary: null, transcript: [], recording_url: null });
    const noCalls = without('calls:read');
    for (const path of ['/deliveries', '/deliveries/summaries']) {
      const { body } = await as(noCalls, 'GET', path);
      expect(body.data.map(({ event }: { event: string }) => event)).toEqual(['appointment.created']);
      expect(refusalOf(await as(noCalls, 'GET', `${path}?event=call.ended`))).toEqual(lacking('calls:read'));
    }
    expect(refusalOf(await as(noCalls, 'GET', `/deliveries/${call.id}`))).toEqual(lacking('calls:read'));
    expect(refusalOf(await as(noCalls, 'POST', `/deliveries/${call.id}/resend`))).toEqual(
      lacking('calls:read'),
    );
  });

  it('what a receiver answers about a call is shown only to whoever may know what was said: it may repeat it', async () => {
    receiver.respondWith(({ rawBody }) => ({
      status: 200,
      body: rawBody,
      headers: { 'x-said': 'of-a-wedding' },
    }));
    await add(ALL);
    await world.publish(callEvent(), appointmentEvent(tenantId));
    await eventually(async () =>
      expect((await as(ALL, 'GET', '/deliveries?status=delivered')).body.data).toHaveLength(2),
    );
    const read = async (scopes: readonly Scope[], id: number) =>
      (await as(scopes, 'GET', `/deliveries/${id}`)).body.data;
    for (const { id, event } of (await as(ALL, 'GET', '/deliveries')).body.data) {
      const whole = await read(ALL, id);
      const mute = await read(without('calls:transcripts'), id);
      const answer = {
        response_body: whole.response_body,
        response_headers: whole.attempts[0].response_headers,
      };
      expect(answer).toEqual({
        response_body: expect.stringContaining(event),
        response_headers: expect.objectContaining({ 'x-said': 'of-a-wedding' }),
      });
      const shown = event === 'call.ended' ? { response_body: null, response_headers: null } : answer;
      expect(mute).toMatchObject({ response_body: shown.response_body, attempts: [shown] });
      if (event === 'call.ended') expect(JSON.stringify(mute)).not.toContain('of-a-wedding');
    }
    for (const { event, response_body } of (await as(without('calls:transcripts'), 'GET', '/deliveries')).body
      .data)
      expect([event, response_body === null]).toEqual([event, event === 'call.ended']);
  });

  it('the feed has events of the records that its key may see, each as it may see it', async () => {
    await world.publish(appointmentEvent(tenantId), customerEvent(tenantId), callEvent());
    const read = (scopes: readonly Scope[], query = '') => world.feed(tenantId, query, tenantId, scopes);
    await eventually(async () =>
      expect((await read(['events:read', ...ENDPOINT_SCOPES])).body.data).toHaveLength(3),
    );
    const some = await read(['events:read', 'calls:read', 'customers:read']);
    const names = some.body.data.map(({ event }: { event: string }) => event);
    expect(names.toSorted()).toEqual(['call.ended', 'customer.created']);
    const call = some.body.data.find(({ event }: { event: string }) => event === 'call.ended');
    expect(call.data).toMatchObject({ summary: null, transcript: [], recording_url: null });
    expect(
      refusalOf(await read(['events:read', 'calls:read'], '?types=customer.created,call.ended')),
    ).toEqual(lacking('customers:read'));
    expect((await read(['events:read'])).body.data).toEqual([]);
  });
});

import { ENDPOINT_SCOPES, MAX_CUSTOM_HEADERS, MAX_LENGTH, type Scope } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent } from '../sample-events.ts';

startForEachTest();

const ALL: readonly Scope[] = ['webhooks:write', ...ENDPOINT_SCOPES];
type Sent = Parameters<ReturnType<typeof world.asIntegrator>>;
const api = (...sent: Sent) => world.asIntegrator(tenantId, ALL)(...sent);
/** All that is stored, as text. */
const everything = systemSql<{ text: string }>(
  'test_everything_of_headers',
  `select string_agg(query_to_xml(format('select * from %I', relname), true, false, '')::text, ' ') as text
   from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
);

const moveAsBefore = systemSql<never, { id: number; url: string }>(
  'test_move_endpoint',
  'update endpoints set url = $url, version = version + 1, updated_at = now() where id = $id',
);

const SECRET = 'Bearer of-a-value-that-nobody-sees';
const add = (headers: unknown) =>
  api('POST', '/webhooks', { url: `${receiver.url}/hook`, events: ['appointment.created'], headers });
const created = async (headers: object) => {
  const { status, body } = await add(headers);
  expect(status).toBe(201);
  return body.data as { id: number; headers: string[] };
};
const change = async (id: number, patch: object) => {
  const { status, body } = await api('PATCH', `/webhooks/${id}`, patch);
  expect(status).toBe(200);
  return body.data as { headers: string[]; updated_at: string };
};
/** What the next delivery comes with. */
const nextHeaders = async () => {
  const count = receiver.requests.length;
  await world.publish(appointmentEvent(tenantId));
  return eventually(() => {
    const request = receiver.requests[count];
    if (!request) throw new Error('nothing received');
    return request.headers;
  });
};

describe('custom headers of an endpoint', () => {
  it('come with every delivery; an answer names them, and nothing shows a value', async () => {
    const sent = { Authorization: SECRET, 'X-Environment': 'live' };
    const { id, headers } = await created(sent);
    expect(headers).toEqual(['authorization', 'x-environment']);
    receiver.respondWith(() => ({ status: receiver.requests.length < 2 ? 500 : 200 }));
    await world.publish(appointmentEvent(tenantId));
    const [{ id: deliveryId } = { id: 0 }] = await hooks.settled('delivered');
    expect(receiver.requests).toHaveLength(2);
    for (const request of receiver.requests)
      expect(request.headers).toMatchObject({
        authorization: SECRET,
        'x-environment': 'live',
        'content-type': 'application/json',
        'user-agent': 'Frontdesk-Webhooks/1',
      });

    const shown = [
      await api('GET', '/webhooks'),
      await api('GET', `/webhooks/${id}`),
      await api('GET', `/webhook-deliveries/${deliveryId}`),
      await hooks.send('GET', ''),
      await hooks.send('GET', `/deliveries/${deliveryId}`),
    ].map(({ body }) => JSON.stringify(body));
    for (const text of shown) expect(text).not.toContain(SECRET);
    expect(JSON.parse(shown[2] ?? '').data.attempts).toMatchObject(
      Array(2).fill({ request_headers: { authorization: '[hidden]', 'x-environment': '[hidden]' } }),
    );
    expect(await hooks.show(id)).toMatchObject({ headers: ['authorization', 'x-environment'] });
    const { text } = await world.database.system.one(everything);
    expect(text).toContain('x-environment');
    expect(text).not.toContain(SECRET);
  });

  it('change one by one: a value sets, null removes, and what is not named stays', async () => {
    const { id } = await created({ 'X-One': '1', 'X-Two': '2' });
    expect((await change(id, { headers: { 'x-two': null, 'X-Three': '3' } })).headers).toEqual([
      'x-one',
      'x-three',
    ]);
    const first = await nextHeaders();
    expect(first).toMatchObject({ 'x-one': '1', 'x-three': '3' });
    expect(first).not.toHaveProperty('x-two');
    const { updated_at } = await change(id, {});
    // Nothing of it is new.
    const same = await change(id, { headers: { 'X-One': '1', 'x-none': null } });
    expect(same.updated_at).toBe(updated_at);
    expect((await change(id, { headers: null })).headers).toEqual([]);
    expect(await nextHeaders()).not.toHaveProperty('x-one');
  });

  it('with another value while deliveries wait: these come with the new one, at once', async () => {
    const { id } = await created({ 'X-Token': 'old' });
    receiver.respondWith(({ headers }) =>
      headers['x-token'] === 'new' ? { status: 200 } : { status: 503, headers: { 'retry-after': '3600' } },
    );
    await world.publish(appointmentEvent(tenantId));
    const [{ id: deliveryId } = { id: 0 }] = await eventually(async () => {
      const log = await hooks.log();
      expect(log).toMatchObject([{ status: 'pending', attempt_count: 1 }]);
      return log;
    });
    await change(id, { headers: { 'X-Token': 'new' } });
    expect((await hooks.send('POST', `/deliveries/${deliveryId}/send-now`)).status).toBe(202);
    await hooks.settled('delivered');
  });

  it('are not for another URL, unless they are given with it', async () => {
    const { id } = await created({ Authorization: SECRET });
    expect((await change(id, { url: `${receiver.url}/hook` })).headers).toEqual(['authorization']);
    expect((await change(id, { url: `${receiver.url}/elsewhere` })).headers).toEqual([]);
    expect(await nextHeaders()).not.toHaveProperty('authorization');
    const moved = { url: `${receiver.url}/third`, headers: { 'X-Key': 'abc' } };
    expect((await change(id, moved)).headers).toEqual(['x-key']);
    expect(await nextHeaders()).toMatchObject({ 'x-key': 'abc' });
  });

  it('are not for another URL that a process of 0.1.0 has set, and can be removed and set anew', async () => {
    const { id } = await created({ Authorization: SECRET, 'X-Other': '1' });
    await world.database.system.run(moveAsBefore, { id, url: `${receiver.url}/elsewhere` });
    const sent = await nextHeaders();
    expect(sent).not.toHaveProperty('authorization');
    expect(sent).not.toHaveProperty('x-other');
    expect((await change(id, { headers: { authorization: null } })).headers).toEqual([]);
    expect((await change(id, { headers: { 'X-Key': 'abc' } })).headers).toEqual(['x-key']);
    expect(await nextHeaders()).toMatchObject({ 'x-key': 'abc' });
  });

  it('stay through a pause and a new secret, and go with the endpoint', async () => {
    const { id } = await created({ 'X-Key': 'abc' });
    await change(id, { is_active: false });
    await change(id, { is_active: true });
    await api('POST', `/webhooks/${id}/roll-secret`);
    expect(await nextHeaders()).toMatchObject({ 'x-key': 'abc' });
    await hooks.settled('delivered');
    await api('DELETE', `/webhooks/${id}`);
    const stored = systemSql<{ headers: string | null }, { id: number }>(
      'test_stored_headers',
      'select headers from endpoints where id = $id',
    );
    expect(await world.database.system.many(stored, { id })).toEqual([{ headers: null }]);
  });

  it('come with every delivery of a claim, to each endpoint its own', async () => {
    for (const name of ['a', 'b', 'c']) await created({ 'X-Endpoint': name, [`X-Only-${name}`]: '1' });
    await world.publish(
      ...Array.from({ length: 20 }, (_, nth) => appointmentEvent(tenantId, 'appointment.created', nth + 1)),
    );
    await eventually(() => expect(receiver.requests).toHaveLength(60));
    const seen = receiver.requests.map(({ headers }) => [
      headers['x-endpoint'],
      Object.keys(headers).filter((name) => name.startsWith('x-only-')),
    ]);
    for (const name of ['a', 'b', 'c'])
      expect(seen.filter(([endpoint]) => endpoint === name)).toEqual(
        Array(20).fill([name, [`x-only-${name}`]]),
      );
  });

  it('can be set on the settings’ routes as well', async () => {
    const body = { url: receiver.url, events: ['appointment.created'], headers: { 'X-Key': 'abc' } };
    const { id } = (await hooks.send('POST', '', body)).body.data;
    expect(await hooks.show(id)).toMatchObject({ headers: ['x-key'] });
    const { body: changed } = await hooks.send('PATCH', `/${id}`, { headers: { 'x-key': 'def' } });
    expect(changed.data.headers).toEqual(['x-key']);
    expect(await nextHeaders()).toMatchObject({ 'x-key': 'def' });
  });
});

describe('422 for headers', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`x-${nth}`, 'v']));

  it.each<readonly [string, unknown]>([
    ['of another type', ['X-A: 1']],
    ['that are a text', 'X-A: 1'],
    ['that are a number', 7],
    ['that are a flag', true],
    ['null', null],
    ['with a value that is none', { 'x-a': { b: 1 } }],
    ['with a number for a value', { 'x-a': 1 }],
    ['with null for a value', { 'x-a': null }],
    ['with an empty value', { 'x-a': '' }],
    ['with a second header in a value', { 'x-a': 'b\r\nx-service-signature: sha256=0' }],
    ['with NUL in a value', { 'x-a': 'b\0' }],
    ['with a tab in a value', { 'x-a': 'b\tc' }],
    ['with a value that is not ASCII', { 'x-a': 'ä' }],
    ['with a value that begins with a blank', { 'x-a': ' b' }],
    ['with a value that is too long', { 'x-a': 'v'.repeat(MAX_LENGTH.headerValue + 1) }],
    ['with an empty name', { '': 'v' }],
    ['with a name that is none', { 'x a': 'v' }],
    ['with a name that ends a line', { 'x-a\r\nx-b': 'v' }],
    ['with a name that is too long', { ['x'.repeat(MAX_LENGTH.headerName + 1)]: 'v' }],
    ['with one name twice', { 'X-A': '1', 'x-a': '2' }],
    ['too many', many(MAX_CUSTOM_HEADERS + 1)],
    ...[
      ...['Host', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Expect'],
      ...['Content-Type', 'Content-Length', 'Content-Encoding', 'Proxy-Authorization', 'User-Agent'],
      ...[
        'Accept',
        'Accept-Encoding',
        'webhook-id',
        'Webhook-Other',
        'X-Service-Signature',
        'X-Frontdesk-Tenant',
      ],
    ].map((name) => [`that set ${name}`, { [name]: 'v' }] as const),
  ])('%s', async (_case, headers) => {
    const { status, body } = await add(headers);
    expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([
      422,
      'validation_failed',
      ['headers'],
    ]);
    expect(body.errors.headers[0]).toMatch(/^The headers field .+\.$/);
    expect((await api('GET', '/webhooks')).body.data).toEqual([]);
  });

  it('that would be too many with those that there are', async () => {
    const { id } = await created(many(MAX_CUSTOM_HEADERS));
    const { status, body } = await api('PATCH', `/webhooks/${id}`, { headers: { 'x-more': 'v' } });
    expect([status, body.errors]).toEqual([
      422,
      { headers: ['The headers field must hold at most 10 headers.'] },
    ]);
    expect((await change(id, { headers: { 'x-0': null, 'x-more': 'v' } })).headers).toHaveLength(
      MAX_CUSTOM_HEADERS,
    );
  });

  it('a header may be called constructor or __proto__', async () => {
    const { headers } = await created({ constructor: 'a', toString: 'b' });
    expect(headers).toEqual(['constructor', 'tostring']);
    expect(await nextHeaders()).toMatchObject({ constructor: 'a', tostring: 'b' });
  });

  it('the longest headers arrive whole', async () => {
    const value = 'v'.repeat(MAX_LENGTH.headerValue);
    const longest = Object.fromEntries(
      Array.from({ length: MAX_CUSTOM_HEADERS }, (_, nth) => [
        `x-${nth}`.padEnd(MAX_LENGTH.headerName, 'n'),
        value,
      ]),
    );
    await created(longest);
    expect(await nextHeaders()).toMatchObject(longest);
  });
});

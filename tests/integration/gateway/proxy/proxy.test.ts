import { IDENTITY_HEADER, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { createIdentityVerifier } from '@frontdesk/service';
import { identityKeys, type ReceivedRequest } from '../../../support/index.ts';
import { caller, gateway, key, startForEachTest, world } from '../each-test.ts';
import { type Answer, bearer, get, send } from '../gateway-world.ts';
import { lines, sendRaw } from '../raw-client.ts';

startForEachTest();

const received = () => world.backend.requests.at(-1) as ReceivedRequest;

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const contentType = { 'content-type': 'application/json' };
  return send(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(key), ...contentType, ...headers },
    body,
  });
}

describe('the request that a backend gets', () => {
  it.each([
    ['/api/v1/appointments', 'scheduling'],
    ['/api/v1/appointments/slots', 'scheduling'],
    ['/api/v1/staff/7', 'scheduling'],
    ['/api/v1/services', 'scheduling'],
    ['/api/v1/business', 'scheduling'],
    ['/api/v1/customers/7', 'crm'],
    ['/api/v1/calls', 'calls'],
    ['/api/v1/calls/7', 'calls'],
    ['/api/v1/events', 'webhooks'],
    ['/api/v1/webhooks/7/roll-secret', 'webhooks'],
    ['/api/v1/webhook-deliveries', 'webhooks'],
  ])('%s: goes under the same path to %s, with an identity for it alone', async (path, audience) => {
    await get(gateway, path, bearer(key));
    expect(received().path).toBe(path);
    const { publicKeysFile } = identityKeys();
    const token = String(received().headers[IDENTITY_HEADER]);
    const identity = await (await createIdentityVerifier({ audience, publicKeysFile })).verify(token);
    const { tenantId, id: keyId } = caller;
    const scopes = new Set(SCOPES_OF_EARLIER_KEYS);
    const expected = { issuer: 'gateway', role: 'integrator', tenantId, keyId, plan: 'enterprise', scopes };
    expect(identity).toEqual(expected);
    const notFor = audience === 'webhooks' ? 'crm' : 'webhooks';
    const other = await createIdentityVerifier({ audience: notFor, publicKeysFile });
    await expect(other.verify(token)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('carries no key, in whatever place and writing it came', async () => {
    await get(gateway, `/api/v1/customers?page=2&api%5fkey=${key}&search=a%20b`, {
      'x-api-key': key,
      ...bearer(key),
    });
    expect(received().path).toBe('/api/v1/customers?page=2&search=a%20b');
    await get(gateway, `/api/v1/customers?api_key=${key}`);
    expect(received().path).toBe('/api/v1/customers');
    expect(JSON.stringify(world.backend.requests)).not.toContain(key);
  });

  it('carries no header that a client may not set: internal, of one hop, or named in Connection', async () => {
    const { status } = await sendRaw(
      gateway.url,
      lines(
        'GET /api/v1/customers HTTP/1.1',
        'Host: gateway',
        `Authorization: Bearer ${key}`,
        `${IDENTITY_HEADER}: forged`,
        'X-Frontdesk-Tenant: 1',
        'X-Internal-Role: operator',
        'X-Forwarded-For: 1.2.3.4',
        'X-Custom: one hop',
        'X-Kept: yes',
        'Keep-Alive: timeout=5',
        'Expect: 100-continue',
        'TE: trailers',
        'Upgrade: websocket',
        'Cookie: session=1',
        `Connection: close, X-Custom, ${IDENTITY_HEADER}, X-Request-Id`,
      ),
    );
    expect(status).toBe(200);
    const { headers } = received();
    expect(headers[IDENTITY_HEADER]).toMatch(/^eyJ/);
    expect(headers['x-request-id']).toBeDefined();
    expect(headers['x-kept']).toBe('yes');
    for (const name of [
      'x-frontdesk-tenant',
      'x-internal-role',
      'x-forwarded-for',
      'x-custom',
      'expect',
      'te',
      'upgrade',
      'cookie',
      'authorization',
    ]) {
      expect([name, headers[name]]).toEqual([name, undefined]);
    }
    expect(headers['keep-alive']).toBeUndefined();
  });

  it('has the client’s request id, or one of the gateway’s where that is not safe to log', async () => {
    const kept = await get(gateway, '/api/v1/staff', { ...bearer(key), 'x-request-id': 'order-17.a_b' });
    expect([kept.headers.get('x-request-id'), received().headers['x-request-id']]).toEqual([
      'order-17.a_b',
      'order-17.a_b',
    ]);
    const made = await get(gateway, '/api/v1/staff', { ...bearer(key), 'x-request-id': 'two words' });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(received().headers['x-request-id']).toBe(made.headers.get('x-request-id'));
  });

  it('has its body as it came, malformed or not', async () => {
    await post('/api/v1/customers', '{"name": ');
    expect(received().rawBody).toBe('{"name": ');
    await post('/api/v1/customers', 'name=Ada', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(received().rawBody).toBe('name=Ada');
  });

  it('leaves out a body that a GET came with', async () => {
    const head = [`GET /api/v1/staff HTTP/1.1`, 'Host: gateway', `X-API-Key: ${key}`, 'Connection: close'];
    const { status } = await sendRaw(
      gateway.url,
      `${lines(...head, 'Content-Type: application/json', 'Content-Length: 2')}{}`,
    );
    expect([status, received().rawBody, received().headers['content-length']]).toEqual([200, '', undefined]);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s: the method is the backend’s to judge',
    async (method) => {
      world.backend.respondWith(() => ({ status: 405, headers: { allow: 'GET' } }));
      const { status, headers } = await send(`${gateway.url}/api/v1/staff`, { method, headers: bearer(key) });
      expect([status, headers.get('allow'), received().method]).toEqual([405, 'GET', method]);
    },
  );
});

it('the backend’s answer comes back as it is, less the headers of its own connection', async () => {
  world.backend.respondWith(() => ({
    status: 409,
    headers: { etag: '"3"', 'x-frontdesk-trace': 'internal', 'keep-alive': 'timeout=99' },
    body: '{"code":"slot_unavailable"}',
  }));
  const { status, headers, body } = await get(gateway, '/api/v1/appointments', bearer(key));
  expect([status, headers.get('etag'), body]).toEqual([409, '"3"', { code: 'slot_unavailable' }]);
  expect(headers.get('x-frontdesk-trace')).toBeNull();
  expect(headers.get('keep-alive')).not.toBe('timeout=99');
  expect(headers.get('x-ratelimit-limit')).toBe('500');
});

it('a large answer comes through whole, at the client’s pace', async () => {
  world.backend.respondWith(() => ({ status: 200, body: 'x'.repeat(5_000_000) }));
  const answer = await fetch(`${gateway.url}/api/v1/customers`, { headers: bearer(key) });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  expect(bytes).toBe(5_000_000);
});

it('404 on a path with dot segments, plain or encoded, or with a backslash', async () => {
  for (const path of [
    '/api/v1/customers/../staff',
    '/api/v1/customers/%2e%2e/staff',
    '/api/v1/customers/..%5cstaff',
    '/api/v1/customers/..foo',
    '/api/v1/customers/foo../bar',
    '/api/v1/customers/%2e%2efoo',
    '/api/v1/customers/7\\notes',
  ]) {
    const head = [`GET ${path} HTTP/1.1`, 'Host: gateway', `X-API-Key: ${key}`, 'Connection: close'];
    expect((await sendRaw(gateway.url, lines(...head))).status).toBe(404);
  }
  expect(world.backend.requests).toEqual([]);
});

it('a target that names the whole address is taken as its path', async () => {
  const ask = (target: string) =>
    sendRaw(
      gateway.url,
      lines(`GET ${target} HTTP/1.1`, 'Host: gateway', `X-API-Key: ${key}`, 'Connection: close'),
    );
  expect((await ask('http://gateway/api/v1/customers?page=2')).status).toBe(200);
  expect(received().path).toBe('/api/v1/customers?page=2');
  expect(received().headers.host).toBe(new URL(world.backend.url).host);
  expect((await ask('HTTPS://elsewhere.example:8443/api/v1/staff/7')).status).toBe(200);
  expect(received().path).toBe('/api/v1/staff/7');
  const statuses = ['http://gateway', 'http://gateway?page=2', 'http://gateway//api/v1/staff'].map(
    async (target) => (await ask(target)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
});

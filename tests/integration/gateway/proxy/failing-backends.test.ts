import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { IDENTITY_REFUSED_HEADER } from '@frontdesk/contracts';
import { createApp, createIdentityVerifier, createMetrics, ok, requireIdentity } from '@frontdesk/service';
import { eventually, freePort, identityKeys, logger } from '../../../support/index.ts';
import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { bearer, type Gateway, gaugeOf, get, send } from '../gateway-world.ts';
import { lines, open, sendRaw } from '../raw-client.ts';

startForEachTest();
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

describe('a backend that fails', () => {
  it('503 with Retry-After while it is down, and not a word about where it is', async () => {
    const port = await freePort();
    const alone = await world.startGateway({ CRM_URL: `http://127.0.0.1:${port}` });
    const { status, headers, body } = await get(alone, '/api/v1/customers', bearer(key));
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
    // The request's own id may have any digits.
    expect(JSON.stringify({ ...body, request_id: null })).not.toMatch(
      new RegExp(`${port}|127\\.0\\.0\\.1|ECONN`),
    );
  });

  it('503 once, not ten times over: a backend’s own 503 is passed on', async () => {
    world.backend.respondWith(() => ({ status: 503, body: '{"code":"service_unavailable"}' }));
    expect((await get(gateway, '/api/v1/customers', bearer(key))).status).toBe(503);
    expect(world.backend.requests).toHaveLength(1);
  });

  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
  ])('503 when it says by %s that it refused the gateway’s identity', async (code, status) => {
    world.backend.respondWith(() => ({
      status,
      headers: {
        'content-type': 'application/json',
        'www-authenticate': 'Bearer',
        [IDENTITY_REFUSED_HEADER]: '1',
      },
      body: JSON.stringify({ success: false, code, message: 'A valid identity is required.' }),
    }));
    const { status: answered, headers, body } = await get(gateway, '/api/v1/customers', bearer(key));
    expect([answered, body.code]).toEqual([503, 'service_unavailable']);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get(IDENTITY_REFUSED_HEADER)).toBeNull();
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('identity');
    const head = await send(`${gateway.url}/api/v1/customers`, { method: 'HEAD', headers: bearer(key) });
    expect(head.status).toBe(503);
  });

  it('503, not 401, for the client of a service that refuses the gateway’s identity', async () => {
    const app = createApp({ logger, metrics: createMetrics() });
    const verifier = await createIdentityVerifier({ ...identityKeys(), audience: 'another' });
    requireIdentity(app, { verifier, roles: ['integrator'] });
    app.get('/api/v1/customers', async () => ok([]));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const before = await world.startGateway({ CRM_URL: app.listeningOrigin });
    const { status, body } = await get(before, '/api/v1/customers', bearer(key));
    await app.close();
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
  });

  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
    ['csrf_failed', 403],
  ])('%s without that is passed on as it is', async (code, status) => {
    const body = JSON.stringify({ success: false, code, message: 'Zoë' });
    const headers = { 'content-type': 'application/json', 'x-kept': 'yes' };
    world.backend.respondWith(() => ({ status, headers, body }));
    const answer = await get(gateway, '/api/v1/customers', bearer(key));
    expect([answer.status, answer.headers.get('x-kept'), answer.body]).toEqual([
      status,
      'yes',
      JSON.parse(body),
    ]);
  });

  it('504 when its answer doesn’t begin in time', async () => {
    const impatient = await world.startGateway({ UPSTREAM_TIMEOUT_MS: '100' });
    world.backend.respondWith(() => new Promise(() => {}));
    const { status, headers, body } = await get(impatient, '/api/v1/customers', bearer(key));
    expect([status, body.code]).toEqual([504, 'upstream_timeout']);
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
  });
});

/** A gateway before a backend that speaks for itself. */
async function gatewayBefore(backend: RequestListener, env: Record<string, string> = {}): Promise<Gateway> {
  const server = createServer(backend);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return world.startGateway({ CRM_URL: `http://127.0.0.1:${port}`, ...env });
}
const servers: ReturnType<typeof createServer>[] = [];

const ask = () =>
  lines('GET /api/v1/customers HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, 'Connection: close');
const underWay = (at: Gateway) => gaugeOf(at, 'gateway_upstream_calls{upstream="crm"}');

describe('an answer that is cut off leaves as one that is cut off', () => {
  it.each([
    ['of stated length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ])('%s', async (_framing, headers) => {
    let cutOff = () => {};
    const alone = await gatewayBefore((_request, response) => {
      response.writeHead(200, headers).write('half of it');
      cutOff = () => response.destroy();
    });
    const client = open(alone.url).setEncoding('utf8');
    client.write(ask());
    let said = '';
    for await (const text of client) {
      said += text;
      if (said.includes('half of it')) cutOff();
    }
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).not.toMatch(/0\r\n\r\n$/);
    const answer = await fetch(`${alone.url}/api/v1/customers`, { headers: bearer(key) });
    cutOff();
    await expect(answer.text()).rejects.toThrow();
    await eventually(async () => expect(await underWay(alone)).toBe(0));
  });

  it('one that stands still in the middle, too', async () => {
    const alone = await gatewayBefore(
      (_request, response) => {
        response.writeHead(200).write('half of it');
      },
      { UPSTREAM_TIMEOUT_MS: '200' },
    );
    expect((await sendRaw(alone.url, ask())).body).not.toMatch(/0\r\n\r\n$/);
    await eventually(async () => expect(await underWay(alone)).toBe(0));
  });
});

it('an address that cuts off five answers in a row rests', async () => {
  let asked = 0;
  const alone = await gatewayBefore(
    (_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-length': '1000' }).write('{"code":', () => response.destroy());
    },
    // Shorter than the rest: no request that waits becomes the next try.
    { UPSTREAM_WAIT_MS: '100' },
  );
  for (let i = 0; i < 5; i += 1) await expect(get(alone, '/api/v1/customers', bearer(key))).rejects.toThrow();
  expect(await gaugeOf(alone, 'gateway_upstream_failures_total{upstream="crm",reason="broken"}')).toBe(5);
  // The rest is short: a busy machine may find it over, and then the call after the next try finds it.
  await eventually(async () => {
    const before = asked;
    const { status, headers } = await get(alone, '/api/v1/customers', bearer(key));
    expect([status, headers.get('retry-after'), asked]).toEqual([503, '1', before]);
  });
});

it('503 for an answer that is no HTTP', async () => {
  const alone = await gatewayBefore((request) => void request.socket.end('SOMETHING ELSE\r\n\r\n'));
  const { status, body } = await get(alone, '/api/v1/customers', bearer(key));
  expect([status, body.code]).toEqual([503, 'service_unavailable']);
});

it('503 for a status that HTTP doesn’t know, and nobody caches the answer', async () => {
  const alone = await gatewayBefore((_request, response) => {
    response.writeHead(999).end('x'.repeat(5_000_000));
  });
  const { status, body } = await get(alone, '/api/v1/customers', bearer(key));
  expect([status, body.code]).toEqual([503, 'service_unavailable']);
  await eventually(async () => expect(await underWay(alone)).toBe(0));
});

it.each([
  ['small', 2],
  ['large', 1_000_000],
])('headers that a backend repeats are read as one, of a %s answer', async (_size, bytes) => {
  const repeated = ['Connection: close', 'Connection: x-hop', 'X-Hop: 1', 'ETag: "1"', 'ETag: "2"'];
  const head = lines('HTTP/1.1 200 OK', ...repeated, `Content-Length: ${bytes}`);
  const alone = await gatewayBefore((request) => void request.socket.end(head + 'x'.repeat(bytes)));
  const answer = await fetch(`${alone.url}/api/v1/customers`, {
    headers: { ...bearer(key), 'if-none-match': '"3"' },
  });
  const { status, headers } = answer;
  expect([status, headers.get('x-hop'), headers.get('etag')]).toEqual([200, null, '"1", "2"']);
  expect(await answer.text()).toHaveLength(bytes);
  await eventually(async () => expect(await underWay(alone)).toBe(0));
});

it('an early hint of a backend is no answer yet', async () => {
  const alone = await gatewayBefore((_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end('{"late":true}'));
  });
  expect((await get(alone, '/api/v1/customers', bearer(key))).body).toEqual({ late: true });
});

it('a client that doesn’t take its answer keeps no connection to the backend', async () => {
  let arrived = 0;
  const { promise: isCutOff, resolve: cutOff } = Promise.withResolvers<boolean>();
  const alone = await gatewayBefore(
    (_request, response) => {
      response.once('close', () => cutOff(!response.writableFinished));
      response.end('x'.repeat(40_000_000));
      arrived += 1;
    },
    { CLIENT_HEADERS_TIMEOUT_MS: '3000', CLIENT_REQUEST_TIMEOUT_MS: '3000' },
  );
  // At another backend, so that the gateway has asked for the key and for the tenant's count.
  expect((await get(alone, '/api/v1/services', bearer(key))).status).toBe(200);
  const clients: Socket[] = [];
  // Another where a busy machine took too long to read what one says. None goes away by itself.
  await eventually(async () => {
    const client = open(alone.url).pause();
    clients.push(client);
    client.write(ask());
    await eventually(() => expect(arrived).toBeGreaterThan(0), { timeoutMs: 5_000 });
  });
  expect(await isCutOff).toBe(true);
  await eventually(async () => expect(await underWay(alone)).toBe(0));
  for (const client of clients) client.destroy();
});

it('a client that goes away takes its call to the backend with it', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const alone = await gatewayBefore((_request, response) => {
    response.once('close', cancel);
    arrive();
  });
  const client = open(alone.url);
  client.write(ask());
  await arrived;
  client.destroy();
  await cancelled;
});

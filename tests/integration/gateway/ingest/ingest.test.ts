import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { IDENTITY_HEADER, ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { freePort, type ReceivedRequest } from '../../../support/index.ts';
import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { randomAddress, send } from '../gateway-world.ts';
import { chunked, lines, sendRaw } from '../raw-client.ts';

startForEachTest({ status: 202, body: '{"success":true}' });

const newSource = () => ingestPath(randomBytes(20).toString('hex'));
const received = () => world.backend.requests.at(-1) as ReceivedRequest;

const post = (path: string, headers: Record<string, string> = {}, body: RequestInit['body'] = '{}') =>
  send(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress(), ...headers },
    body,
  });

describe('a message without an API key', () => {
  it('goes to calls under the same path and query, and its answer comes back', async () => {
    const path = `${newSource()}?CallSid=CA1&a=b%20c&a=d`;
    const { status, body, headers } = await post(path);
    expect([status, body]).toEqual([202, { success: true }]);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    expect([received().method, received().path]).toEqual(['POST', path]);
  });

  it('429 beyond the business’s quota of the day, with Retry-After', async () => {
    const refusal = { success: false, code: 'rate_limited', message: 'Too much.', request_id: 'r' };
    world.backend.respondWith(() => ({
      status: 429,
      headers: { 'retry-after': '40000', 'content-type': 'application/json' },
      body: JSON.stringify(refusal),
    }));
    const { status, body, headers } = await post(newSource());
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '40000']);
  });

  it('keeps what its signature is in, and what it covers', async () => {
    const signed = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      authorization: 'Bearer the-provider-s-secret',
      'x-twilio-signature': 'q7Tn1D9lSDkBVfsM6PAqLvYWfG4=',
      'x-retell-signature': 'v=1,d=00',
      'x-vapi-secret': 'secret',
      'x-vapi-signature': 'sha256=00',
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1772445600',
      'webhook-signature': 'v1,K5oZ',
      'x-someones-own': 'kept',
    };
    await post(newSource(), signed, 'CallStatus=completed&From=%2B4930');
    expect(received().headers).toMatchObject(signed);
    expect(received().rawBody).toBe('CallStatus=completed&From=%2B4930');
  });

  it('carries no identity, whatever its sender claims, nor anything of one hop', async () => {
    const { status } = await sendRaw(
      gateway.url,
      lines(
        `POST ${newSource()} HTTP/1.1`,
        'Host: gateway',
        `${IDENTITY_HEADER}: forged`,
        'X-Frontdesk-Tenant: 1',
        'X-Internal-Role: operator',
        'X-Forwarded-Host: evil',
        'X-Custom: one hop',
        'Keep-Alive: timeout=5',
        'TE: trailers',
        'Cookie: session=1',
        'Content-Length: 0',
        `Connection: close, X-Custom, ${IDENTITY_HEADER}`,
      ),
    );
    expect(status).toBe(202);
    const dropped = [
      ...[IDENTITY_HEADER, 'x-frontdesk-tenant', 'x-internal-role', 'x-forwarded-for', 'x-forwarded-host'],
      ...['x-custom', 'te', 'cookie', 'x-api-key'],
    ];
    for (const name of dropped) expect([name, received().headers[name]]).toEqual([name, undefined]);
    expect(received().headers['x-request-id']).toBeDefined();
  });

  it('needs no Frontdesk key, and one that comes along doesn’t get to calls', async () => {
    const places: [string, Record<string, string>][] = [
      ['', { authorization: `Bearer ${key}` }],
      ['', { 'x-api-key': key }],
      [`?a=1&api%5fkey=${key}`, {}],
      ['?api_key=fd_live_nonsense', {}],
    ];
    for (const [query, headers] of places)
      expect((await post(`${newSource()}${query}`, headers)).status).toBe(202);
    expect(JSON.stringify(world.backend.requests)).not.toMatch(/fd_live_/);
    await post(`${newSource()}?api_key=the-provider-s`);
    expect(received().path).toMatch(/\?api_key=the-provider-s$/);
  });

  it('arrives as the bytes that were sent, up to 5 MiB', async () => {
    const arrived: Buffer[] = [];
    const backend = createServer((request, response) => {
      void buffer(request).then((body) => {
        arrived.push(body);
        response.writeHead(202).end();
      });
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
    const { port } = backend.address() as AddressInfo;
    const own = await world.startGateway({ CALLS_URL: `http://127.0.0.1:${port}` });
    const bytes = randomBytes(MAX_INGEST_BYTES);
    const answer = await fetch(`${own.url}${newSource()}`, { method: 'POST', body: bytes });
    expect(answer.status).toBe(202);
    const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
    expect(arrived.map(digest)).toEqual([digest(bytes)]);
    backend.close();
    backend.closeAllConnections();
  });
});

describe('413 above 5 MiB, with nothing sent on', () => {
  it('of stated length', async () => {
    const { status, body } = await post(newSource(), {}, randomBytes(MAX_INGEST_BYTES + 1));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(world.backend.requests).toEqual([]);
  });

  it('in chunks', async () => {
    const head = lines(
      `POST ${newSource()} HTTP/1.1`,
      ...['Host: gateway', 'Connection: close', 'Transfer-Encoding: chunked'],
    );
    const { status, body } = await sendRaw(gateway.url, `${head}${chunked(MAX_INGEST_BYTES + 1)}`);
    expect([status, JSON.parse(body).code]).toEqual([413, 'payload_too_large']);
    expect(world.backend.requests).toEqual([]);
  });
});

it('405 for TRACE, with what is allowed', async () => {
  const head = lines(`TRACE ${newSource()} HTTP/1.1`, 'Host: gateway', 'Connection: close');
  const answer = await sendRaw(gateway.url, head);
  expect([answer.status, /\r\nallow: (.*)/.exec(answer.head)?.[1]]).toEqual([405, 'post']);
  expect(world.backend.requests).toEqual([]);
});

it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '405 for %s, with what is allowed',
  async (method) => {
    const { status, headers } = await send(`${gateway.url}${newSource()}`, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(world.backend.requests).toEqual([]);
  },
);

it.each([
  '/ingest',
  '/ingest/',
  '/ingest/calls',
  '/ingest/calls/',
  '/ingest/calls/short',
  '/ingest/calls/%2e%2e%2fapi%2fv1%2fcustomers',
  `/ingest/calls/${'a'.repeat(32)}/more`,
  `/ingest/calls/${'a'.repeat(32)}/`,
  '/ingest/sms/0123456789abcdef0123',
])('404 in the envelope for %s, without asking calls', async (path) => {
  const { status, body } = await post(path);
  expect([status, body.code, body.message]).toEqual([404, 'not_found', 'Not found.']);
  expect(world.backend.requests).toEqual([]);
});

it('no way around the key: what isn’t below /ingest needs one, whatever it looks like', async () => {
  const targets = [
    '/ingestion',
    '/ingest/../api/v1/customers',
    '/api/v1/customers?/ingest/',
    '//ingest/calls/x',
  ];
  for (const target of targets) {
    const head = [`GET ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close'];
    expect([401, 404]).toContain((await sendRaw(gateway.url, lines(...head))).status);
  }
  expect((await send(`${gateway.url}/ingestion`, {})).status).toBe(401);
  expect(world.backend.requests).toEqual([]);
});

describe('what calls says', () => {
  it.each([
    ['unauthorized', 401],
    ['not_found', 404],
    ['tenant_suspended', 403],
    ['payload_too_large', 413],
  ])('%s is passed on as it is: it is about the message', async (code, status) => {
    world.backend.respondWith(() => ({ status, body: JSON.stringify({ success: false, code }) }));
    const answer = await post(newSource());
    expect([answer.status, answer.body]).toEqual([status, { success: false, code }]);
  });

  it('503 with Retry-After while it is down, 504 when it is slow', async () => {
    const nowhere = await world.startGateway({ CALLS_URL: `http://127.0.0.1:${await freePort()}` });
    const down = await send(`${nowhere.url}${newSource()}`, { method: 'POST', body: '{}' });
    expect([down.status, down.body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
    const impatient = await world.startGateway({ UPSTREAM_TIMEOUT_MS: '100' });
    world.backend.respondWith(() => new Promise(() => {}));
    const slow = await send(`${impatient.url}${newSource()}`, { method: 'POST', body: '{}' });
    expect([slow.status, slow.body.code]).toEqual([504, 'upstream_timeout']);
  });
});

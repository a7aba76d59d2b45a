import { once } from 'node:events';
import type { Socket } from 'node:net';
import { eventually, type ReceivedRequest } from '../../../support/index.ts';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  gaugeOf,
  get,
  startGatewayWorld,
} from '../gateway-world.ts';
import { answerOn, lines, open } from '../raw-client.ts';
import { createUploads, heldBytes } from '../uploads.ts';

/** For what comes as long as the gateway keeps the client: after it a new client tries. */
const SOON = { timeoutMs: 5_000 };

describe('slow clients', () => {
  let world: GatewayWorld;
  let gateway: Gateway;
  let key: string;

  beforeAll(async () => {
    world = await startGatewayWorld();
    gateway = await world.startGateway({
      CLIENT_HEADERS_TIMEOUT_MS: '300',
      CLIENT_REQUEST_TIMEOUT_MS: '600',
    });
    ({ key } = await world.newCaller(gateway));
  });
  afterAll(() => world.stop());

  /** What the gateway says to a client that sends this and then nothing more, until it closes. */
  async function saidTo(bytes: string): Promise<string> {
    const socket = open(gateway.url).setEncoding('utf8');
    socket.write(bytes);
    let said = '';
    for await (const text of socket) said += text;
    return said;
  }

  it.each([
    ['a request line that never ends', 'GET /api/v1/cust'],
    ['headers that never end', 'GET /api/v1/customers HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ])('408 and an end for %s', async (_case, bytes) => {
    const [head, body = ''] = (await saidTo(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close/);
    expect(JSON.parse(body).code).toBe('request_timeout');
  });

  it('408 and an end for a body that never ends; the backend hears nothing of it', async () => {
    const head = `POST /api/v1/customers HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Length: 100\r\n\r\n{`;
    expect(await saidTo(head)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect(world.backend.requests).toEqual([]);
  });

  it.each([
    ['never ends, and comes to no path', 'POST /nothing HTTP/1.1', 'Content-Length: 100', '{', 401],
    ['never ends, and has no key', 'POST /api/v1/customers HTTP/1.1', 'Content-Length: 100', '{', 401],
    [
      'comes in chunks and has no key',
      'POST /api/v1/customers HTTP/1.1',
      'Transfer-Encoding: chunked',
      '1\r\n{\r\n',
      401,
    ],
    ['is too long', 'POST /api/v1/customers HTTP/1.1\r\nX-API-Key: KEY', 'Content-Length: 2000000', '{', 413],
    ['goes to no source', 'POST /ingest/calls/none HTTP/1.1', 'Content-Length: 100', '{', 404],
  ])(
    'one answer, and an end, for a body that is refused before it has come: it %s',
    async (_case, line, framing, sent, status) => {
      const said = await saidTo(`${lines(line.replace('KEY', key), 'Host: a', framing)}${sent}`);
      expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
      expect(said).toMatch(/\}$/);
    },
  );

  it('one answer also where what follows a refused head is no body', async () => {
    const socket = open(gateway.url).setEncoding('utf8');
    socket.write(lines('POST /api/v1/customers HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked'));
    const [said] = await once(socket, 'data');
    socket.write('no chunk\r\n');
    expect([said.slice(0, 12), await answerOn(socket)]).toEqual(['HTTP/1.1 401', '']);
  });

  it('408 still for a second request on a connection, whose head never ends', async () => {
    const said = await saidTo(
      `${lines('POST /api/v1/customers HTTP/1.1', 'Host: a', 'Content-Length: 1')}{GET /api`,
    );
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 408']);
  });

  it('a connection on which nothing comes is closed', async () => {
    expect(await saidTo('')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('what the gateway says by itself is not kept for ever for a client that doesn’t read it', async () => {
    const clients: Socket[] = [];
    const cutOff = 'gateway_requests_total{route="/openapi.json",status="499",plan="none"}';
    const isCutOff = async () => expect(await gaugeOf(gateway, cutOff)).toBeGreaterThan(0);
    // Another where a busy machine took too long to read what one says. None goes away by itself.
    await eventually(async () => {
      const client = open(gateway.url).pause();
      clients.push(client);
      client.write(lines('GET /openapi.json HTTP/1.1', 'Host: a').repeat(90));
      await eventually(isCutOff, SOON);
    });
    for (const client of clients) client.destroy();
  });

  it('answers that nobody takes, small and many on one connection, hold nothing for ever', async () => {
    // Its own: the others are cut off before a busy machine has read them.
    const patient = await world.startGateway({
      CLIENT_HEADERS_TIMEOUT_MS: '3000',
      CLIENT_REQUEST_TIMEOUT_MS: '3000',
    });
    expect((await get(patient, '/api/v1/customers', bearer(key))).status).toBe(200);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    world.backend.respondWith(async () => {
      await released;
      return { status: 200, body: 'x'.repeat(60_000) };
    });
    const head = lines(
      'POST /api/v1/customers HTTP/1.1',
      'Host: a',
      `X-API-Key: ${key}`,
      'Content-Length: 2',
    );
    const clients: Socket[] = [];
    await eventually(async () => {
      clients.pop()?.destroy();
      world.backend.requests.length = 0;
      const client = open(patient.url).pause();
      clients.push(client);
      client.write(`${head}{}`.repeat(90));
      // As many as one tenant has under way; the others wait, with their bodies.
      await eventually(() => expect(world.backend.requests.length).toBe(32), SOON);
      await eventually(async () => expect(await heldBytes(patient)).toBeGreaterThan(64), SOON);
    });
    release();
    await eventually(async () => expect(await heldBytes(patient)).toBe(0));
    clients.pop()?.destroy();
  });
});

describe('slow uploads', () => {
  const PATH = '/api/v1/customers';
  const MEBIBYTE = 1024 * 1024;

  let world: GatewayWorld;
  const uploads = createUploads();

  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterEach(() => uploads.end());
  afterAll(() => world.stop());
  beforeEach(() => {
    world.backend.requests.length = 0;
    world.backend.respondWith(() => ({ status: 200, body: '{}' }));
  });

  const startUpload = (gateway: Gateway, key: string, framing: string) =>
    uploads.start(
      gateway,
      PATH,
      framing,
      `X-API-Key: ${key}`,
      'Content-Type: application/json; charset=utf-8',
    );

  it('more half-sent uploads of one tenant than a backend has connections keep no other tenant waiting', async () => {
    const gateway = await world.startGateway();
    const [slow, other] = await Promise.all([world.newCaller(gateway), world.newCaller(gateway)]);
    const started = await Promise.all(
      Array.from({ length: 140 }, () => startUpload(gateway, slow.key, 'Content-Length: 10')),
    );
    for (const upload of started) upload.write('12');
    expect((await get(gateway, PATH, bearer(other.key))).status).toBe(200);
    expect(world.backend.requests).toHaveLength(1);
  });

  it('no 504 for an upload that takes longer than a backend may take to answer', async () => {
    const gateway = await world.startGateway({ UPSTREAM_TIMEOUT_MS: '500' });
    const { key } = await world.newCaller(gateway);
    world.backend.respondWith(({ method }) =>
      method === 'GET' ? new Promise(() => {}) : { status: 200, body: '{}' },
    );
    // Again where a busy machine made the backend itself slow: what took of its time would never be in time.
    await eventually(async () => {
      const upload = await startUpload(gateway, key, 'Content-Length: 10');
      upload.write('12345');
      expect((await get(gateway, PATH, bearer(key))).status).toBe(504);
      upload.write('67890');
      expect(await answerOn(upload)).toMatch(/^HTTP\/1\.1 200 /);
    });
    expect(world.backend.requests.at(-1)?.rawBody).toBe('1234567890');
  });

  it('a chunked body comes to the backend as the same bytes, of stated length', async () => {
    const gateway = await world.startGateway();
    const { key } = await world.newCaller(gateway);
    const text = 'Zoë '.repeat(10_000);
    const upload = await startUpload(gateway, key, 'Transfer-Encoding: chunked');
    const bytes = Buffer.from(text);
    for (const byte of bytes.subarray(0, 1_000))
      upload.write(Buffer.from(`1\r\n${String.fromCharCode(byte)}\r\n`, 'latin1'));
    const rest = bytes.subarray(1_000);
    upload.write(`${rest.length.toString(16)}\r\n`);
    upload.write(rest);
    upload.write('\r\n0\r\n\r\n');
    expect(await answerOn(upload)).toMatch(/^HTTP\/1\.1 200 /);
    const { rawBody, headers } = world.backend.requests[0] as ReceivedRequest;
    expect(rawBody).toBe(text);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('503 for what goes beyond a tenant’s part of the memory, until its other uploads end; others have theirs', async () => {
    const gateway = await world.startGateway();
    const [greedy, other] = await Promise.all([world.newCaller(gateway), world.newCaller(gateway)]);
    const allBut1 = 'x'.repeat(MEBIBYTE - 1);
    const started = await Promise.all(
      Array.from({ length: 17 }, () => startUpload(gateway, greedy.key, `Content-Length: ${MEBIBYTE}`)),
    );
    const answers = started.map(answerOn);
    for (const upload of started) upload.write(allBut1);
    // Nothing is asked of the gateway meanwhile: a request that takes of the memory too would have another upload refused.
    await eventually(async () => expect(await heldBytes(gateway)).toBe(16 * MEBIBYTE));
    const post = (key: string) =>
      fetch(`${gateway.url}${PATH}`, { method: 'POST', headers: bearer(key), body: allBut1 });
    expect((await post(greedy.key)).status).toBe(503);
    expect((await post(other.key)).status).toBe(200);

    for (const upload of started) upload.write('x');
    const statuses = (await Promise.all(answers)).map((answer) => answer.split(' ', 2)[1]);
    expect(statuses.filter((status) => status === '200')).toHaveLength(16);
    expect(statuses.filter((status) => status === '503')).toHaveLength(1);
    await eventually(async () => expect((await post(greedy.key)).status).toBe(200));
  });

  it('408 for a body that comes more slowly than its pace, and its memory is free', async () => {
    const gateway = await world.startGateway({ INGEST_PACE_MS: '300' });
    const { key } = await world.newCaller(gateway);
    const upload = await startUpload(gateway, key, 'Content-Length: 10');
    upload.write('12345');
    expect(await answerOn(upload)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect([world.backend.requests, await heldBytes(gateway)]).toEqual([[], 0]);
  });

  it('a client that goes away while sending leaves nothing for the backend', async () => {
    const gateway = await world.startGateway();
    const { key } = await world.newCaller(gateway);
    const upload = await startUpload(gateway, key, 'Content-Length: 10');
    upload.write('12345');
    await eventually(async () => expect(await heldBytes(gateway)).toBe(10));
    upload.destroy();
    await eventually(async () => expect(await heldBytes(gateway)).toBe(0));
    expect((await get(gateway, PATH, bearer(key))).status).toBe(200);
    expect(world.backend.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

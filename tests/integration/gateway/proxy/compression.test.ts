import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Failure } from '@frontdesk/contracts';
import { request } from 'undici';
import { eventually } from '../../../support/index.ts';
import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { bearer, type Gateway, gaugeOf } from '../gateway-world.ts';
import { lines, open } from '../raw-client.ts';

const PATH = '/api/v1/appointments/slots';
const JSON_TYPE = 'application/json; charset=utf-8';
const VARY = 'Authorization, X-API-Key, Accept-Encoding';
const DECODERS: Record<string, (content: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

startForEachTest();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** Of this many rows, with letters beyond ASCII. */
const rowsOf = (count: number) =>
  JSON.stringify({
    success: true,
    data: Array.from({ length: count }, (_, id) => ({ id, name: `Zoë ${id * 7_919}`, time: '09:15' })),
  });
const LIST = rowsOf(500);
/** More than comes in one piece from a backend. */
const LONG_LIST = rowsOf(20_000);

const answerWith = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  world.backend.respondWith(({ method }) => ({
    status,
    headers: {
      'content-type': JSON_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body: method === 'HEAD' ? '' : body,
  }));

interface Asked {
  method?: 'GET' | 'HEAD' | 'PATCH';
  path?: string;
  headers?: Record<string, string>;
  at?: Gateway;
}

/** Asks for it in this encoding; nothing decodes the answer but this. */
async function ask(
  encoding: string | null,
  { method = 'GET', path = PATH, headers, at = gateway }: Asked = {},
) {
  const answer = await request(`${at.url}${path}`, {
    method,
    headers: { ...bearer(key), ...(encoding === null ? {} : { 'accept-encoding': encoding }), ...headers },
  });
  const content = Buffer.from(await answer.body.arrayBuffer());
  const sentAs = answer.headers['content-encoding'] as string | undefined;
  const decode = content.length === 0 ? undefined : DECODERS[sentAs ?? ''];
  return {
    status: answer.statusCode,
    headers: answer.headers,
    encoding: sentAs ?? null,
    bytes: content.length,
    text: (decode?.(content) ?? content).toString(),
  };
}

describe.each([
  ['a list of 25 KB', LIST],
  ['a list of 1 MB', LONG_LIST],
])('%s', (_which, list) => {
  it.each(['gzip', 'br', 'zstd'])('comes by %s as the same bytes, and far fewer', async (encoding) => {
    answerWith(list);
    const plain = await ask(null);
    const sent = await ask(encoding);
    expect([plain.encoding, plain.text === list, plain.bytes]).toEqual([null, true, Buffer.byteLength(list)]);
    expect([sent.status, sent.encoding, sent.text === list]).toEqual([200, encoding, true]);
    expect(sent.bytes).toBeLessThan(plain.bytes / 4);
    expect([sent.headers['content-type'], sent.headers.vary]).toEqual([JSON_TYPE, VARY]);
    // Of one that is compressed as it comes, nobody knows the length beforehand.
    expect([undefined, String(sent.bytes)]).toContain(sent.headers['content-length']);
    expect(Number(sent.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });
});

it('which encoding: the one that the client likes best, and none where it asks for none', async () => {
  answerWith(LIST);
  const wanted: [header: string | null, encoding: string | null][] = [
    [null, null],
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['unknown', null],
    ['*;q=0', null],
    ['gzip;q=0', null],
    ['gzip;q=0, br;q=0.0, zstd;q=0.000', null],
    ['identity, gzip;q=0.5', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['*', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=0.9, gzip;q=0.8, *;q=0.1', 'br'],
    ['gzip;q=0.8,zstd', 'zstd'],
    ['deflate, br', 'br'],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['*;q=0, br', 'br'],
    ['gzip;q=abc', null],
    [';;,,=', null],
  ];
  const got = [];
  for (const [header] of wanted) {
    const { status, encoding, text } = await ask(header);
    expect([header, status, text === LIST]).toEqual([header, 200, true]);
    got.push([header, encoding]);
  }
  expect(got).toEqual(wanted);
  const unlike = (await ask('gzip;q=0, *')).encoding;
  expect(['br', 'zstd']).toContain(unlike);
});

describe('as it is', () => {
  const jsonOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

  it('below 1 KB, whether it comes in one piece or not; compressed from there on', async () => {
    for (const [bytes, encoding] of [
      [1_023, null],
      [1_024, 'gzip'],
    ] as const) {
      answerWith(jsonOf(bytes), { etag: '"3"' });
      const whole = await ask('gzip');
      expect([whole.encoding, whole.text, whole.headers.vary]).toEqual([encoding, jsonOf(bytes), VARY]);
      const alone = await gatewayBefore((_request, response) => {
        response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': bytes }).flushHeaders();
        setImmediate(() => response.end(jsonOf(bytes)));
      });
      const late = await ask('gzip', { at: alone, path: '/api/v1/customers' });
      expect([late.encoding, late.text]).toEqual([encoding, jsonOf(bytes)]);
    }
  });

  it('what is no JSON, and what the backend has encoded', async () => {
    answerWith(LIST, { 'content-type': 'application/octet-stream', etag: '"3"' });
    const bytes = await ask('gzip');
    answerWith(LIST, { 'content-encoding': 'x-own', etag: '"3"' });
    const encoded = await ask('gzip');
    expect([bytes.encoding, bytes.text === LIST, bytes.headers.etag]).toEqual([null, true, '"3"']);
    expect([encoded.encoding, encoded.text === LIST, encoded.headers.etag]).toEqual(['x-own', true, '"3"']);
  });

  it.each([
    ['/api/v1/events?wait=25', null],
    ['/api/v1/events?after=x&w%61it=1', null],
    ['/api/v1/events?after=wait', 'gzip'],
    ['/api/v1/events', 'gzip'],
  ])('events that a client has waited for: %s', async (path, encoding) => {
    answerWith(LIST);
    const sent = await ask('gzip', { path });
    expect([sent.encoding, sent.text === LIST, sent.headers.vary]).toEqual([encoding, true, VARY]);
  });
});

describe('a record', () => {
  const RECORD = JSON.stringify({ success: true, data: { id: 7, notes: 'Zoë '.repeat(1_000) } });

  it('has its strong ETag as it is, and a weak one compressed; both mean the same to If-None-Match', async () => {
    answerWith(RECORD, { etag: '"3"' });
    const [plain, compressed] = [await ask(null), await ask('gzip')];
    expect([plain.headers.etag, compressed.headers.etag]).toEqual(['"3"', 'W/"3"']);
    for (const sent of [plain, compressed])
      expect([sent.headers['cache-control'], sent.headers.vary]).toEqual(['private, no-cache', VARY]);
    for (const [encoding, etag] of [
      [null, '"3"'],
      ['gzip', 'W/"3"'],
    ] as const)
      for (const known of ['"3"', 'W/"3"'])
        for (const method of ['GET', 'HEAD'] as const) {
          const { status, headers, bytes } = await ask(encoding, {
            method,
            headers: { 'if-none-match': known },
          });
          expect([status, bytes, headers.etag, headers.vary]).toEqual([304, 0, etag, VARY]);
          expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, undefined]);
        }
    answerWith(RECORD, { etag: 'W/"3"' });
    expect((await ask('br')).headers.etag).toBe('W/"3"');
  });

  it('keeps its strong ETag where it is too small to be compressed', async () => {
    answerWith('{"success":true}', { etag: '"3"' });
    expect((await ask('gzip')).headers.etag).toBe('"3"');
  });

  it.each(['gzip', null])('HEAD says what GET would (%s), and has no body', async (encoding) => {
    answerWith(RECORD, { etag: '"3"' });
    const [got, head] = [await ask(encoding), await ask(encoding, { method: 'HEAD' })];
    expect([head.status, head.bytes]).toEqual([200, 0]);
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary', 'cache-control'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    expect([undefined, got.headers['content-length']]).toContain(head.headers['content-length']);
    // The connection is still good: nothing followed that shouldn't.
    expect((await ask(null)).text).toBe(RECORD);
  });

  it('a change and a failure are compressed alike', async () => {
    for (const [status, method] of [
      [200, 'PATCH'],
      [409, 'GET'],
      [422, 'PATCH'],
    ] as const) {
      answerWith(RECORD, {}, status);
      const sent = await ask('gzip', { method });
      expect([sent.status, sent.encoding, sent.text]).toEqual([status, 'gzip', RECORD]);
    }
  });
});

/** A gateway whose customers are served like this. */
async function gatewayBefore(listener: RequestListener): Promise<Gateway> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return world.startGateway({ CRM_URL: `http://127.0.0.1:${port}` });
}

const callsUnderWay = (at: Gateway) => gaugeOf(at, 'gateway_upstream_calls{upstream="crm"}');

describe('an answer that breaks off', () => {
  const half = Buffer.from(LONG_LIST).subarray(0, 400_000);
  /** A client that has asked and got the first bytes of the answer; and what it has got, as it grows. */
  const beginning = async (at: Gateway, encoding: string) => {
    const socket = open(at.url);
    const chunks: Buffer[] = [];
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const began = new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    const accept = `Accept-Encoding: ${encoding}`;
    socket.write(lines('GET /api/v1/customers HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, accept));
    await began;
    return { socket, closed, said: () => Buffer.concat(chunks).toString('latin1') };
  };

  it.each(['gzip', 'br', 'zstd'])(
    'at the backend: the connection ends, and the answer doesn’t (%s)',
    async (encoding) => {
      let breakOff = () => {};
      const alone = await gatewayBefore((_request, response) => {
        response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': LONG_LIST.length * 2 });
        response.write(half);
        breakOff = () => response.destroy();
      });
      const { closed, said } = await beginning(alone, encoding);
      breakOff();
      await closed;
      expect(said()).toMatch(/^HTTP\/1\.1 200 /);
      expect(said()).toContain(`content-encoding: ${encoding}`);
      // The last chunk of a whole answer.
      expect(said().endsWith('0\r\n\r\n')).toBe(false);
      await eventually(async () => expect(await callsUnderWay(alone)).toBe(0));
    },
  );

  it('at the backend, before any of it was sent: a failure that can be read', async () => {
    const alone = await gatewayBefore((_request, response) => {
      response.writeHead(200, { 'content-type': JSON_TYPE, etag: '"3"', 'content-length': 1_000_000 });
      response.write('{"success":true,"data":[', () => response.destroy());
    });
    const sent = await ask('br', { at: alone, path: '/api/v1/customers' });
    const { status, encoding, text, headers } = sent;
    expect([status, encoding, (JSON.parse(text) as Failure).code]).toEqual([
      503,
      null,
      'service_unavailable',
    ]);
    expect([headers.etag, headers['cache-control'], headers.vary]).toEqual([undefined, 'no-store', VARY]);
    expect(headers['content-length']).toBe(String(sent.bytes));
  });

  it('at the client: its call ends too', async () => {
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    const alone = await gatewayBefore((_request, response) => {
      response.writeHead(200, { 'content-type': JSON_TYPE }).write(half);
      response.once('close', close);
    });
    const { socket } = await beginning(alone, 'gzip');
    expect(await callsUnderWay(alone)).toBe(1);
    socket.destroy();
    await isClosed;
    await eventually(async () => expect(await callsUnderWay(alone)).toBe(0));
  });
});

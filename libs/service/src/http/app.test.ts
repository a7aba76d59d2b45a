import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { dataOf, pathId, queryInteger, requiredText } from '@frontdesk/contracts';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';
import { createApp } from './app.ts';
import { etagOf, requireMatch } from './entity-tags.ts';
import { ok } from './replies.ts';

const body = z.object({ name: requiredText(10), nested: z.object({ count: z.int() }).optional() });
const thing = z.object({ id: z.int(), note: z.string().nullable() });

const metrics = createMetrics();

function createThings() {
  const app = createApp({ logger: createLogger({ name: 'test', level: 'silent' }), metrics });
  app.post('/things', { schema: { body } }, async (request, reply) => {
    reply.code(201);
    return ok(request.body);
  });
  app.get(
    '/things',
    { schema: { querystring: z.object({ limit: queryInteger.default(5) }) } },
    async (request) => ok(request.query.limit),
  );
  app.get(
    '/things/:id',
    { schema: { params: pathId, response: { 200: dataOf(thing) } }, config: { resource: 'Thing' } },
    async (request) => {
      requireMatch(request, 3);
      return ok({ id: request.params.id, note: null, secret: 'internal' });
    },
  );
  app.get('/broken', async () => {
    throw new Error('password=hunter2 at 10.0.0.1');
  });
  app.get('/taken', async () => {
    throw new AppError('slot_unavailable', 'Taken.', {
      faults: { time: ['Taken.'] },
      data: { alternatives: [] },
    });
  });
  return app;
}

const app = createThings();
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const post = (payload: string, headers: Record<string, string> = json) =>
  app.inject({ method: 'POST', url: '/things', payload, headers });

describe('an app', () => {
  it('counts what it answers by route, and failures by their code, never by what a client wrote', async () => {
    metrics.registry.resetMetrics();
    for (const path of ['/taken', '/taken', '/things/hostile', '/hostile']) await app.inject(path);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^http_errors_total\{route="\/taken",code="slot_unavailable"\} 2$/m);
    expect(text).toMatch(/^http_errors_total\{route="\/things\/:id",code="not_found"\} 1$/m);
    expect(text).toMatch(/^http_errors_total\{route="unmatched",code="not_found"\} 1$/m);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/taken",status="409"\} 2$/m,
    );
    expect(text).not.toContain('hostile');
  });

  it('parses what comes in and names only what the schema names on the way out', async () => {
    const answer = await app.inject('/things/7');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true, data: { id: 7, note: null } });
    expect((await app.inject('/things?limit=9')).json()).toEqual({ success: true, data: 9 });
    expect((await app.inject('/things')).json()).toEqual({ success: true, data: 5 });
  });

  it('422: maps every failing field to messages', async () => {
    const answer = await post(JSON.stringify({ nested: { count: 'many' } }));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      success: false,
      code: 'validation_failed',
      message: 'The given data was invalid.',
      request_id: answer.headers['x-request-id'],
      errors: {
        name: ['The name field is required.'],
        'nested.count': ['The nested.count field must be a number.'],
      },
    });
  });

  it.each([
    ['no body', ''],
    ['an empty object', '{}'],
  ])('422: %s lacks the required fields', async (_name, payload) => {
    expect((await post(payload)).json().errors).toEqual({ name: ['The name field is required.'] });
  });

  it.each([
    ['400: malformed JSON', '{"name":', json, 400, 'invalid_json'],
    ['415: JSON that says it is text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['415: another media type', 'name=x', { 'content-type': 'text/csv' }, 415, 'unsupported_media_type'],
    ['413: a body over 1 MiB', JSON.stringify('x'.repeat(2 ** 20)), json, 413, 'payload_too_large'],
    [
      '422: lists 65 deep',
      `{"name":"x","more":${'['.repeat(65)}${']'.repeat(65)}}`,
      json,
      422,
      'validation_failed',
    ],
    ['422: lists that are never closed', '['.repeat(1_000_000), json, 422, 'validation_failed'],
    [
      '422: too many values',
      `{"name":"x","more":[${'{},'.repeat(349_000)}{}]}`,
      json,
      422,
      'validation_failed',
    ],
    ['422: a body that is no object', '[1]', json, 422, 'validation_failed'],
  ])('%s', async (_name, payload, headers, status, code) => {
    const answer = await post(payload, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, code });
  });

  describe('text that is not UTF-8', () => {
    const send = (payload: Buffer | string, headers: Record<string, string> = json) =>
      app.inject({ method: 'POST', url: '/things', payload: Buffer.from(payload), headers });
    const named = (bytes: number[]) =>
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);

    it.each([
      ['Latin-1', named([0x4a, 0xf6])],
      ['half of a pair in CESU-8', named([0xed, 0xa0, 0x80])],
      ['a pair in CESU-8', named([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80])],
      ['an overlong character', named([0xc0, 0xaf])],
      ['a character cut off', named([0xe2, 0x82])],
      ['UTF-16', Buffer.from('\ufeff{"name":"x"}', 'utf16le')],
      ['an escape of half a pair', String.raw`{"name":"\ud800"}`],
      ['an escape of the other half, in upper case', String.raw`{"name":"a\uDC00b"}`],
      ['half a pair in a field that nobody knows', String.raw`{"name":"x","more":[{"deep":"\uD83d"}]}`],
      ['half a pair in a name', String.raw`{"name":"x","\udfff":1}`],
    ])('400: %s', async (_name, payload) => {
      const answer = await send(payload);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ success: false, code: 'invalid_json' });
    });

    it.each([
      ['an escaped pair', String.raw`{"name":"\ud83d\ude00"}`, '\u{1f600}'],
      ['a backslash before what looks like an escape', String.raw`{"name":"\\ud800"}`, String.raw`\ud800`],
      ['a byte order mark', '\ufeff{"name":"J\u00f6"}', 'J\u00f6'],
      ['the replacement character itself', '{"name":"\ufffd"}', '\ufffd'],
    ])('201: %s', async (_name, payload, name) => {
      expect((await send(payload)).json()).toMatchObject({ success: true, data: { name } });
    });

    it.each(['iso-8859-1', '"ISO-8859-1"', 'utf-16', 'utf-16le', 'windows-1252', 'odd'])(
      '415: the charset %s, even of ASCII',
      async (charset) => {
        const answer = await send('{"name":"x"}', { 'content-type': `application/json; charset=${charset}` });
        expect(answer.statusCode).toBe(415);
        expect(answer.json()).toMatchObject({ code: 'unsupported_media_type' });
      },
    );

    it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii'])('201: the charset %s', async (charset) => {
      const type = `Application/JSON; Charset=${charset}; x=y`;
      expect((await send('{"name":"x"}', { 'content-type': type })).statusCode).toBe(201);
    });

    it('415: a coded body, and which coding would do', async () => {
      for (const coding of ['gzip', 'br', 'identity, deflate', 'X-GZIP']) {
        const answer = await send('{"name":"x"}', { ...json, 'content-encoding': coding });
        expect([answer.statusCode, answer.headers['accept-encoding']]).toEqual([415, 'identity']);
        expect(answer.json()).toMatchObject({ code: 'unsupported_media_type' });
      }
      expect((await send('{"name":"x"}', { ...json, 'content-encoding': 'Identity' })).statusCode).toBe(201);
      // Nothing is coded where there is nothing.
      expect((await send('', { ...json, 'content-encoding': 'gzip' })).json().errors).toHaveProperty('name');
    });

    it.each(['%FF', 'J%F6rg', '%ED%A0%80', '%C3'])(
      '422: the query %s, where a field has it that is known',
      async (text) => {
        const answer = await app.inject(`/things?limit=${text}`);
        expect(answer.statusCode).toBe(422);
        expect(answer.json().errors).toEqual({ limit: ['The limit field must be percent-encoded UTF-8.'] });
        expect((await app.inject(`/things?other=${text}&limit=5`)).statusCode).toBe(200);
      },
    );
  });

  it.each(['0', 'abc', '1.5', '99999999999999999999'])(
    '404: a path id of %s, with the kind of record',
    async (id) => {
      const answer = await app.inject(`/things/${id}`);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not_found', message: 'Thing not found.' });
    },
  );

  it.each(['/nothing', '/things/%E0%A4%A'])('404: %s', async (url) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ success: false, code: 'not_found' });
  });

  it('405: names the methods that a known path takes', async () => {
    const answer = await app.inject({ method: 'PUT', url: '/things?x=1' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('POST, GET, HEAD');
    expect(answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('500: reveals nothing internal', async () => {
    const answer = await app.inject('/broken');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 'internal_error' });
    expect(answer.body).not.toMatch(/hunter2|10\.0\.0\.1|stack/);
  });

  it('409: carries the extra data that a code documents', async () => {
    const answer = await app.inject('/taken');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ errors: { time: ['Taken.'] }, data: { alternatives: [] } });
  });

  it('412: If-Match names another version', async () => {
    const stale = await app.inject({ url: '/things/7', headers: { 'if-match': etagOf(2) } });
    expect(stale.statusCode).toBe(412);
    expect(stale.headers.etag).toBe('"3"');
    const current = await app.inject({ url: '/things/7', headers: { 'if-match': `"1", ${etagOf(3)}` } });
    expect(current.statusCode).toBe(200);
  });

  it('strangers make no series: every method that nobody uses is counted as one', async () => {
    for (const method of ['SUBSCRIBE', 'PURGE', 'M-SEARCH']) {
      const answer = await app.inject({ method: method as 'SEARCH', url: '/nothing' });
      expect(answer.statusCode).toBe(404);
    }
    const text = await metrics.registry.metrics();
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="other",route="unmatched",status="404"\} 3$/m,
    );
    expect(text).not.toMatch(/SUBSCRIBE|PURGE|M-SEARCH/);
  });

  it('keeps a request id that is safe and replaces one that is not', async () => {
    const kept = await app.inject({ url: '/things/7', headers: { 'x-request-id': 'abc-123' } });
    expect(kept.headers['x-request-id']).toBe('abc-123');
    const replaced = await app.inject({ url: '/things/7', headers: { 'x-request-id': 'a b"c' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a connection', () => {
  const send = async (bytes: string): Promise<string> => {
    const address = app.server.address() as AddressInfo;
    const socket = connect(address.port, '127.0.0.1');
    socket.end(bytes);
    return text(socket);
  };

  beforeAll(() => app.listen({ host: '127.0.0.1', port: 0 }));

  it.each([
    ['400: what is not HTTP', 'SAY hello\r\n\r\n', 400, 'bad_request'],
    [
      '400: two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      '400: bytes of an address without an escape',
      'GET /things?limit=Jörg HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      '431: too many headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s is answered in the envelope', async (_name, bytes, status, code) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    const requestId = /X-Request-Id: (\S+)/.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({ success: false, code, request_id: requestId });
  });
});

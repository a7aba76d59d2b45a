import { once } from 'node:events';
import { createApp, createMetrics, ok } from '@frontdesk/service';
import { logger } from '../../../support/index.ts';
import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { type Answer, bearer, send } from '../gateway-world.ts';
import { chunked, lines, open, sendRaw } from '../raw-client.ts';

startForEachTest();

describe('413 in the envelope for a body above 1 MiB', () => {
  const MEBIBYTE = 1024 * 1024;

  function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const contentType = { 'content-type': 'application/json' };
    return send(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { ...bearer(key), ...contentType, ...headers },
      body,
    });
  }

  const head = () => [
    'POST /api/v1/customers HTTP/1.1',
    'Host: gateway',
    `X-API-Key: ${key}`,
    'Connection: close',
  ];

  it('of stated length', async () => {
    const { status, body } = await post('/api/v1/customers', 'x'.repeat(MEBIBYTE + 1));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(world.backend.requests).toEqual([]);
  });

  it('of stated length, before any of it has come', async () => {
    const upload = open(gateway.url).setEncoding('utf8');
    upload.write(lines(...head(), `Content-Length: ${2 * MEBIBYTE}`));
    const [said] = await once(upload, 'data');
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    // Its sender still gets rid of the body, and sees the connection end.
    upload.write('x'.repeat(2 * MEBIBYTE));
    await once(upload, 'end');
    expect(world.backend.requests).toEqual([]);
  });

  it('in chunks', async () => {
    const request = `${lines(...head(), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${chunked(2 * MEBIBYTE)}`;
    const { status, body } = await sendRaw(gateway.url, request);
    expect([status, JSON.parse(body).code]).toEqual([413, 'payload_too_large']);
  });

  it('and none for one of exactly that size', async () => {
    expect((await post('/api/v1/customers', 'x'.repeat(MEBIBYTE))).status).toBe(200);
    const request = `${lines(...head(), 'Transfer-Encoding: chunked')}${chunked(MEBIBYTE)}`;
    expect((await sendRaw(gateway.url, request)).status).toBe(200);
    expect(world.backend.requests.at(-1)?.rawBody).toHaveLength(MEBIBYTE);
  });
});

describe('smuggled requests', () => {
  const HIDDEN = 'GET /api/v1/staff HTTP/1.1\r\nHost: a\r\n\r\n';
  const post = (headers: string[], body: string) =>
    ['POST /api/v1/customers HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, ...headers, '', body].join('\r\n');

  describe('400 for framing that two servers may read differently, and nothing of it reaches a backend', () => {
    it.each([
      ['CL.TE', ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
      ['TE.CL', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `5c\r\n${HIDDEN}\r\n0\r\n\r\n`],
      ['two lengths', ['Content-Length: 0', 'Content-Length: 43'], HIDDEN],
      ['the same length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
      ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
      ['a length with a sign', ['Content-Length: +2'], '{}'],
      ['a length in hexadecimal', ['Content-Length: 0x2'], '{}'],
      ['a negative length', ['Content-Length: -1'], '{}'],
      ['an empty length', ['Content-Length: '], '{}'],
      ['chunked not last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
      ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
      ['a coding that there is not', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
      ['a coding behind a tab', ['Transfer-Encoding:\tchunked', 'Content-Length: 6'], `0\r\n\r\n${HIDDEN}`],
      ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 2'], '{}'],
      ['a folded header', ['X-Kept: a', ' Transfer-Encoding: chunked', 'Content-Length: 2'], '{}'],
      ['a bare line feed in a header', ['X-Kept: a\nTransfer-Encoding: chunked', 'Content-Length: 2'], '{}'],
      ['a bare carriage return in a header', ['X-Kept: a\rContent-Length: 9', 'Content-Length: 2'], '{}'],
      ['a chunk size that is none', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
      ['a chunk size with a sign', ['Transfer-Encoding: chunked'], '+2\r\n{}\r\n0\r\n\r\n'],
      ['a chunk longer than it says', ['Transfer-Encoding: chunked'], `1\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
      ['a line feed alone behind a chunk size', ['Transfer-Encoding: chunked'], '2\n{}\r\n0\r\n\r\n'],
    ])('%s', async (_case, headers, body) => {
      const answer = await sendRaw(gateway.url, post(headers, body));
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'bad_request']);
      expect(world.backend.requests).toEqual([]);
    });
  });

  it('what hides in a body stays a body', async () => {
    const answer = await sendRaw(
      gateway.url,
      post(['Connection: close', 'Content-Type: text/plain', `Content-Length: ${HIDDEN.length}`], HIDDEN),
    );
    expect(answer.status).toBe(200);
    expect(world.backend.requests.map(({ method, rawBody }) => [method, rawBody])).toEqual([
      ['POST', HIDDEN],
    ]);
  });

  it('trailers of a chunked body end here', async () => {
    const trailer = 'X-Frontdesk-Identity: forged\r\nX-Late: yes';
    const body = `2\r\n{}\r\n0\r\n${trailer}\r\n\r\n`;
    await sendRaw(
      gateway.url,
      post(['Connection: close', 'Transfer-Encoding: chunked', 'Trailer: X-Late'], body),
    );
    const [received] = world.backend.requests;
    expect([received?.rawBody, received?.headers['x-late'], received?.headers.trailer]).toEqual([
      '{}',
      undefined,
      undefined,
    ]);
    expect(received?.headers['x-frontdesk-identity']).toMatch(/^eyJ/);
  });
});

describe('large headers', () => {
  it('a head that fits the gateway fits a service too, with all that the gateway adds', async () => {
    const service = createApp({ logger, metrics: createMetrics() });
    service.get('/api/v1/customers', async () => ok([]));
    await service.listen({ host: '127.0.0.1', port: 0 });
    const gateway = await world.startGateway({ CRM_URL: service.listeningOrigin });
    const { key } = await world.newCaller(gateway);
    const statusWith = async (bytes: number) => {
      const head = [
        'GET /api/v1/customers HTTP/1.1',
        'Host: a',
        `X-API-Key: ${key}`,
        `X-Long: ${'x'.repeat(bytes)}`,
      ];
      return (await sendRaw(gateway.url, lines(...head, 'Connection: close'))).status;
    };
    expect([await statusWith(16_100), await statusWith(16_500)]).toEqual([200, 431]);
    await service.close();
  });
});

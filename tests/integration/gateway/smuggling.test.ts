import { type Gateway, type GatewayWorld, startGatewayWorld } from './gateway-world.ts';
import { sendRaw } from './raw-client.ts';

let world: GatewayWorld;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
  ({ key } = await world.newCaller(gateway));
});
afterAll(() => world.stop());
beforeEach(() => {
  world.backend.requests.length = 0;
});

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
  expect(world.backend.requests.map(({ method, rawBody }) => [method, rawBody])).toEqual([['POST', HIDDEN]]);
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

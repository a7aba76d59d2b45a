import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { ingestPath } from '@frontdesk/contracts';
import { eventually, withinOneWindow } from '../../../support/index.ts';
import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { gaugeOf, operator } from '../gateway-world.ts';
import { answerOn, lines, open, sendRaw } from '../raw-client.ts';

const PATH = '/api/v1/customers';

startForEachTest();

/** Whatever is wrong with a request, its answer is one envelope. */
async function ask(...headers: string[]) {
  const answer = await sendRaw(gateway.url, lines(...headers));
  const body = answer.body.startsWith('{') ? JSON.parse(answer.body) : null;
  return { ...answer, code: body?.code, requestId: body?.request_id };
}
const withKey = (...headers: string[]) => ask(...headers, `X-API-Key: ${key}`, 'Connection: close');

describe('answered in the envelope, and no backend hears of it', () => {
  it.each([
    ['no Host', [`GET ${PATH} HTTP/1.1`], 400, 'bad_request'],
    ['two Hosts', [`GET ${PATH} HTTP/1.1`, 'Host: a', 'Host: b'], 400, 'bad_request'],
    ['the same Host twice', [`GET ${PATH} HTTP/1.1`, 'Host: a', 'host: a'], 400, 'bad_request'],
    ['a Host with a path', [`GET ${PATH} HTTP/1.1`, 'Host: a/b'], 400, 'bad_request'],
    [
      'an expectation of its own',
      [`GET ${PATH} HTTP/1.1`, 'Host: a', 'Expect: 200-ok'],
      417,
      'expectation_failed',
    ],
    ['QUERY', [`QUERY ${PATH} HTTP/1.1`, 'Host: a'], 405, 'method_not_allowed'],
    ['TRACE', [`TRACE ${PATH} HTTP/1.1`, 'Host: a'], 405, 'method_not_allowed'],
    ['PROPFIND', [`PROPFIND ${PATH} HTTP/1.1`, 'Host: a'], 405, 'method_not_allowed'],
    ['a method that there is not', [`FETCH ${PATH} HTTP/1.1`, 'Host: a'], 400, 'bad_request'],
    ['CONNECT', ['CONNECT a:443 HTTP/1.1', 'Host: a:443'], 400, 'bad_request'],
    ['the asterisk', ['OPTIONS * HTTP/1.1', 'Host: a'], 404, 'not_found'],
    ['a path with a lone %', ['GET /api/v1/%zz HTTP/1.1', 'Host: a'], 404, 'not_found'],
    ['a path that is no UTF-8', ['GET /api/v1/%ff HTTP/1.1', 'Host: a'], 404, 'not_found'],
    ['HTTP/2 by prior knowledge', ['PRI * HTTP/2.0', '', 'SM'], 400, 'bad_request'],
    [
      'a URL above the limit',
      [`GET ${PATH}?a=${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a'],
      431,
      'headers_too_large',
    ],
    [
      'headers above the limit',
      [`GET ${PATH} HTTP/1.1`, 'Host: a', `X: ${'x'.repeat(20_000)}`],
      431,
      'headers_too_large',
    ],
    ['a control character in a header', [`GET ${PATH} HTTP/1.1`, 'Host: a', 'X: a\x01b'], 400, 'bad_request'],
  ])('%s', async (_case, headers, status, code) => {
    const answer = await withKey(...(headers as string[]));
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(answer.head).toContain(`x-request-id: ${answer.requestId}`);
    if (status === 405) expect(answer.head).toMatch(/\r\nallow: get, head, post(\r|$)/);
    expect(world.backend.requests).toEqual([]);
  });
});

it.each([
  ...['TRACE', 'PROPFIND', 'QUERY', 'SEARCH', 'LOCK'].flatMap((method) => [
    [method, '/api/v1/customers/7', 405, 'get, head, patch'],
    [method, '/api/v1/customers/7?x=1', 405, 'get, head, patch'],
    [method, '/api/v1/appointments/7', 405, 'get, head, patch, delete'],
    [method, '/api/v1/appointments/7/status', 405, 'patch'],
    [method, '/api/v1/appointments/slots', 405, 'get, head'],
    [method, '/api/v1/events', 405, 'get, head'],
    [method, '/api/v1/customers/7/notes', 404, null],
    [method, '/api/v1/nothing', 404, null],
    [method, '/docs', 405, 'get, head'],
    [method, '/openapi.json', 405, 'get, head'],
    [method, '/nothing', 404, null],
  ]),
])(
  '%s %s: %i and what the path takes, which no proxy has to be asked for',
  async (method, path, status, allow) => {
    const answer = await withKey(`${method} ${path} HTTP/1.1`, 'Host: a');
    const found = /\r\nallow: (.*)/.exec(answer.head)?.[1] ?? null;
    expect([answer.status, found]).toEqual([status, allow]);
    expect(world.backend.requests).toEqual([]);
  },
);

it('the key comes before what is wrong with the path, the method or an expectation', async () => {
  for (const headers of [
    ['GET /api/v1/%zz HTTP/1.1'],
    [`QUERY ${PATH} HTTP/1.1`],
    ['OPTIONS * HTTP/1.1'],
    [`GET ${PATH} HTTP/1.1`, 'Expect: 200-ok'],
  ]) {
    const { status, code } = await ask(...headers, 'Host: a', 'Connection: close');
    expect([headers[0], status, code]).toEqual([headers[0], 401, 'unauthorized']);
  }
});

it('an id that is not properly encoded is the backend’s to refuse, under the name that was sent', async () => {
  await withKey(`GET ${PATH}/%zz?search=%zz HTTP/1.1`, 'Host: a');
  expect(world.backend.requests[0]?.path).toBe(`${PATH}/%25zz?search=%zz`);
});

it('HTTP/1.0 needs no Host and gets an answer that ends with its connection', async () => {
  const { status, head } = await ask(`GET ${PATH} HTTP/1.0`, `X-API-Key: ${key}`);
  expect([status, head.includes('transfer-encoding')]).toEqual([200, false]);
});

it('pipelined requests are answered in their order, each as its own', async () => {
  world.backend.respondWith(async ({ path }) => {
    if (path.endsWith('/1')) await eventually(() => expect(world.backend.requests).toHaveLength(2));
    return { status: 200, body: path };
  });
  const socket = open(gateway.url);
  const request = (id: number, ...more: string[]) =>
    lines(`GET ${PATH}/${id} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`, ...more);
  socket.write(request(1) + lines(`GET ${PATH} HTTP/1.1`, 'Host: a') + request(2, 'Connection: close'));
  let said = '';
  for await (const text of socket.setEncoding('utf8')) said += text;
  const answers = said.split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '401', '200']);
  expect([answers[0]?.endsWith(`${PATH}/1`), answers[2]?.endsWith(`${PATH}/2`)]).toEqual([true, true]);
});

it('a connection that brings more requests at once than any client pipelines ends, and its calls with it', async () => {
  const other = await world.newCaller(gateway);
  world.backend.respondWith(() => new Promise(() => {}));
  const socket = open(gateway.url).resume();
  socket.on('error', () => {});
  socket.write(lines(`GET ${PATH} HTTP/1.1`, 'Host: a', `X-API-Key: ${other.key}`).repeat(120));
  await once(socket, 'close');
  await eventually(async () =>
    expect(await gaugeOf(gateway, 'gateway_upstream_calls{upstream="crm"}')).toBe(0),
  );
});

it('what is no HTTP after a good request is answered too, once that has its own answer', async () => {
  const socket = open(gateway.url).setEncoding('utf8');
  socket.write(lines(`GET ${PATH} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`));
  let said = '';
  socket.on('data', (text) => {
    said += text;
  });
  await eventually(() => expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{\}$/));
  socket.write('NONSENSE\r\n\r\n');
  await once(socket, 'close');
  expect(said).toMatch(/\{\}HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
});

it('a client that closes its sending side has gone, and its call with it', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  world.backend.respondWith(() => {
    arrive();
    return new Promise(() => {});
  });
  const socket = open(gateway.url);
  socket.write(lines(`GET ${PATH} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`));
  await arrived;
  socket.end();
  socket.resume();
  await once(socket, 'close');
  await eventually(async () =>
    expect(await gaugeOf(gateway, 'gateway_upstream_calls{upstream="crm"}')).toBe(0),
  );
});

describe('a client that asks before it sends its body (Expect: 100-continue)', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const asking = (line: string, ...more: string[]) =>
    lines(
      line,
      'Host: a',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
      ...more,
    );
  /** All that the gateway says to a client that goes on waiting. */
  const saidTo = (head: string, url = gateway.url) => {
    const socket = open(url);
    socket.write(head);
    return answerOn(socket);
  };

  it('is asked for it once, by 100, and answered when it has come; its connection stays', async () => {
    const socket = open(gateway.url).setEncoding('utf8');
    socket.write(asking(`POST ${PATH} HTTP/1.1`, `X-API-Key: ${key}`));
    expect((await once(socket, 'data'))[0]).toBe(CONTINUE);
    expect(world.backend.requests).toEqual([]);
    socket.write(`{}${lines(`GET ${PATH} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`, 'Connection: close')}`);
    const said = await answerOn(socket);
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(world.backend.requests.map(({ method, rawBody }) => [method, rawBody])).toEqual([
      ['POST', '{}'],
      ['GET', ''],
    ]);
  });

  it.each([
    ['has no key', `POST ${PATH} HTTP/1.1`, [], 401],
    ['has a key that there is not', `POST ${PATH} HTTP/1.1`, ['Authorization: Bearer fd_live_none'], 401],
    ['asks for a path that there is not', 'POST /api/v1/nothing HTTP/1.1', ['X-API-Key: KEY'], 404],
    ['asks for a method that the path does not take', `PROPFIND ${PATH} HTTP/1.1`, ['X-API-Key: KEY'], 405],
    ['expects something else too', `POST ${PATH} HTTP/1.1`, ['X-API-Key: KEY', 'Expect: 200-ok'], 417],
    ['sends a message to no source', 'POST /ingest/calls/none HTTP/1.1', [], 404],
  ])('is refused at once where it %s, and not asked for its body', async (_case, line, headers, status) => {
    const said = await saidTo(asking(line, ...headers.map((header) => header.replace('KEY', key))));
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(said.toLowerCase()).toContain('\r\nconnection: close');
    expect(world.backend.requests).toEqual([]);
  });

  it('is refused at once where its body would be too long, its tenant is suspended, or a limit is reached', async () => {
    const tooLong = ['Expect: 100-continue', 'Content-Length: 2000000', `X-API-Key: ${key}`];
    const suspended = await world.newCaller(gateway);
    await world.internal(gateway, operator, 'PATCH', `/internal/tenants/${suspended.tenantId}`, {
      status: 'suspended',
    });
    const limited = await world.startGateway({ INGEST_RATE_PER_MINUTE: '1' });
    const answers = await withinOneWindow(60, async () => {
      const source = ingestPath(randomBytes(20).toString('hex'));
      const message = () => saidTo(asking(`POST ${source} HTTP/1.1`), limited.url);
      expect(
        (
          await sendRaw(
            limited.url,
            `${lines(`POST ${source} HTTP/1.1`, 'Host: a', 'Connection: close', 'Content-Length: 2')}{}`,
          )
        ).status,
      ).toBe(200);
      return [
        await saidTo(lines(`POST ${PATH} HTTP/1.1`, 'Host: a', ...tooLong)),
        await saidTo(asking(`POST ${PATH} HTTP/1.1`, `X-API-Key: ${suspended.key}`)),
        await message(),
      ];
    });
    expect(answers.map((said) => said.match(/HTTP\/1\.1 \d+/g))).toEqual([
      ['HTTP/1.1 413'],
      ['HTTP/1.1 403'],
      ['HTTP/1.1 429'],
    ]);
  });

  it('is not asked for it in HTTP/1.0, which has no such answer', async () => {
    const said = await saidTo(`${asking(`POST ${PATH} HTTP/1.0`, `X-API-Key: ${key}`)}{}`);
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});

import { eventually } from '../../support/index.ts';
import { type Gateway, type GatewayWorld, gaugeOf, startGatewayWorld } from './gateway-world.ts';
import { lines, open } from './raw-client.ts';

let world: GatewayWorld;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway({ CLIENT_HEADERS_TIMEOUT_MS: '300', CLIENT_REQUEST_TIMEOUT_MS: '600' });
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

it('a connection on which nothing comes is closed', async () => {
  expect(await saidTo('')).toMatch(/^HTTP\/1\.1 408 /);
});

it('what the gateway says by itself is not kept for ever for a client that doesn’t read it', async () => {
  const client = open(gateway.url).pause();
  client.write(lines('GET /openapi.json HTTP/1.1', 'Host: a').repeat(90));
  const cutOff = 'gateway_requests_total{route="/openapi.json",status="499",plan="none"}';
  await eventually(async () => expect(await gaugeOf(gateway, cutOff)).toBeGreaterThan(0));
  client.destroy();
});

it('answers that nobody takes, small and many on one connection, hold nothing for ever', async () => {
  // Its own: the others are cut off before a busy machine has read them.
  const patient = await world.startGateway({
    CLIENT_HEADERS_TIMEOUT_MS: '3000',
    CLIENT_REQUEST_TIMEOUT_MS: '3000',
  });
  const held = () => gaugeOf(patient, 'gateway_request_body_bytes');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  world.backend.respondWith(async () => {
    await released;
    return { status: 200, body: 'x'.repeat(60_000) };
  });
  const head = lines('POST /api/v1/customers HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, 'Content-Length: 2');
  const client = open(patient.url).pause();
  client.write(`${head}{}`.repeat(90));
  // As many as one tenant has under way; the others wait, with their bodies.
  await eventually(() => expect(world.backend.requests.length).toBe(32));
  await eventually(async () => expect(await held()).toBeGreaterThan(64));
  release();
  await eventually(async () => expect(await held()).toBe(0));
  client.destroy();
});

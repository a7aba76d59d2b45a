import { once } from 'node:events';
import {
  type Answer,
  bearer,
  type Gateway,
  type GatewayWorld,
  send,
  startGatewayWorld,
} from './gateway-world.ts';
import { chunked, lines, sendRaw } from './raw-client.ts';
import { createUploads } from './uploads.ts';

const MEBIBYTE = 1024 * 1024;

let world: GatewayWorld;
let gateway: Gateway;
let key: string;
const uploads = createUploads();

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
  ({ key } = await world.newCaller(gateway));
});
afterEach(() => uploads.end());
afterAll(() => world.stop());
beforeEach(() => {
  world.backend.requests.length = 0;
  world.backend.respondWith(() => ({ status: 200, body: '{}' }));
});

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const contentType = { 'content-type': 'application/json' };
  return send(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(key), ...contentType, ...headers },
    body,
  });
}

describe('413 in the envelope for a body above 1 MiB', () => {
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
    const upload = await uploads.start(
      gateway,
      '/api/v1/customers',
      `Content-Length: ${2 * MEBIBYTE}`,
      `X-API-Key: ${key}`,
    );
    const [said] = await once(upload.resume(), 'data');
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

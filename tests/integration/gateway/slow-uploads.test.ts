import { once } from 'node:events';
import { eventually, type ReceivedRequest } from '../../support/index.ts';
import { bearer, type Gateway, type GatewayWorld, get, startGatewayWorld } from './gateway-world.ts';
import { answerOn } from './raw-client.ts';
import { createUploads, heldBytes } from './uploads.ts';

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
  uploads.start(gateway, PATH, framing, `X-API-Key: ${key}`, 'Content-Type: application/json; charset=utf-8');

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

it('a client that goes away while sending leaves nothing for the backend', async () => {
  const gateway = await world.startGateway();
  const { key } = await world.newCaller(gateway);
  const upload = await startUpload(gateway, key, 'Content-Length: 10');
  upload.write('12345');
  upload.destroy();
  await once(upload, 'close');
  expect((await get(gateway, PATH, bearer(key))).status).toBe(200);
  expect(world.backend.requests.map(({ method }) => method)).toEqual(['GET']);
});

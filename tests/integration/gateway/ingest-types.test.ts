import { ingestPath } from '@frontdesk/contracts';
import { type Gateway, type GatewayWorld, startGatewayWorld } from './gateway-world.ts';
import { lines, sendRaw } from './raw-client.ts';

let world: GatewayWorld;
let gateway: Gateway;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
  world.backend.respondWith(() => ({ status: 202, body: '{}' }));
});
afterAll(() => world.stop());

it.each([
  ...['text', 'garbage', 'a/b/c', 'application/json, application/json', 'application/json;', '', '/', ';a=b'],
  ...['TEXT/Plain;charset="x y"', 'multipart/form-data; boundary=--1', 'tëxt/plain'],
])('a message of the type “%s” goes on with just that', async (type) => {
  const head = [`POST ${ingestPath('a1b2c3d4e5f6a7b8')} HTTP/1.1`, 'Host: gateway', 'Connection: close'];
  const { status } = await sendRaw(
    gateway.url,
    `${lines(...head, `Content-Type: ${type}`, 'Content-Length: 2')}{}`,
  );
  expect(status).toBe(202);
  const sent = world.backend.requests.at(-1);
  const wire = Buffer.from(type).toString('latin1');
  expect([sent?.headers['content-type'], sent?.rawBody]).toEqual([wire, '{}']);
});

it('a message without a type goes on without one', async () => {
  const head = [`POST ${ingestPath('a1b2c3d4e5f6a7b8')} HTTP/1.1`, 'Host: gateway', 'Connection: close'];
  const { status } = await sendRaw(gateway.url, `${lines(...head, 'Content-Length: 2')}{}`);
  const sent = world.backend.requests.at(-1);
  expect([status, sent?.headers['content-type'], sent?.rawBody]).toEqual([202, undefined, '{}']);
});

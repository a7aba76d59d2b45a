import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  randomAddress,
  send,
  startGatewayWorld,
} from '../gateway-world.ts';
import { answerOn, lines, open, sendRaw } from '../raw-client.ts';
import { createUploads, heldBytes, statusOf } from '../uploads.ts';

describe('floods of call messages', () => {
  const MEBIBYTE = 1024 * 1024;

  let world: GatewayWorld;
  let gateway: Gateway;
  const uploads = createUploads();

  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  beforeEach(async () => {
    world.backend.respondWith(() => ({ status: 202, body: '{}' }));
    world.backend.requests.length = 0;
    world.sources.missing.clear();
    gateway = await world.startGateway();
  });
  afterEach(() => uploads.end());
  afterAll(() => world.stop());

  const newSource = () => ingestPath(randomBytes(20).toString('hex'));

  const post = (path: string, bytes: number, from = randomAddress()) =>
    send(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: 'x'.repeat(bytes),
    });

  /** Sources of one tenant. */
  function sourcesOfOne(count: number): string[] {
    const tenantId = uniqueTenantId();
    return Array.from({ length: count }, () => {
      const source = newSource();
      world.sources.tenants.set(tokenOf(source), tenantId);
      return source;
    });
  }
  const tokenOf = (source: string) => source.split('/').at(-1) as string;

  /** A message of which all but the last byte is sent. */
  async function halfSend(path: string, bytes: number, from: string): Promise<Socket> {
    const framing = `Content-Length: ${bytes}`;
    const socket = await uploads.start(gateway, path, framing, `X-Forwarded-For: ${from}`);
    socket.write('x'.repeat(bytes - 1));
    return socket;
  }

  it('503 beyond the memory that a source has; other sources of its address and tenants’ requests have theirs', async () => {
    const { key } = await world.newCaller(gateway);
    const [source, from] = [newSource(), randomAddress()];
    const burst = await Promise.all(
      Array.from({ length: 3 }, () => halfSend(source, MAX_INGEST_BYTES, from)),
    );
    await eventually(async () => expect(await heldBytes(gateway)).toBe(3 * MAX_INGEST_BYTES));
    expect((await post(source, MAX_INGEST_BYTES, from)).status).toBe(503);
    expect((await post(newSource(), MAX_INGEST_BYTES, from)).status).toBe(202);
    const init = { method: 'POST', headers: bearer(key), body: 'x'.repeat(MEBIBYTE - 1) };
    expect((await fetch(`${gateway.url}/api/v1/customers`, init)).status).toBe(202);
    for (const upload of burst) upload.write('x');
    expect((await Promise.all(burst.map(answerOn))).map(statusOf)).toEqual([202, 202, 202]);
  });

  it('503 beyond the memory that an address has; others have theirs', async () => {
    const from = randomAddress();
    await Promise.all(Array.from({ length: 6 }, () => halfSend(newSource(), MAX_INGEST_BYTES, from)));
    await eventually(async () => expect(await heldBytes(gateway)).toBe(6 * MAX_INGEST_BYTES));
    expect((await post(newSource(), MAX_INGEST_BYTES, from)).status).toBe(503);
    expect((await post(newSource(), MAX_INGEST_BYTES)).status).toBe(202);
  });

  it('503 once all that messages have is taken', async () => {
    await Promise.all(
      Array.from({ length: 12 }, () => halfSend(newSource(), MAX_INGEST_BYTES, randomAddress())),
    );
    await eventually(async () => expect(await heldBytes(gateway)).toBe(12 * MAX_INGEST_BYTES));
    expect((await post(newSource(), MAX_INGEST_BYTES)).status).toBe(503);
  });

  it('one tenant’s sources, from any number of addresses, leave all others their messages', async () => {
    const addresses = [randomAddress(), randomAddress()];
    // What would fill the memory of all messages to the last byte.
    const attack = sourcesOfOne(4).flatMap((source, nth) =>
      [...Array(3).fill(MAX_INGEST_BYTES), MEBIBYTE].map((bytes) =>
        halfSend(source, bytes, addresses[nth % 2] as string),
      ),
    );
    const sockets = await Promise.all(attack);
    await eventually(() => expect(sockets.filter(({ writableLength }) => writableLength > 0)).toEqual([]));
    await eventually(async () => expect(await heldBytes(gateway)).toBeGreaterThan(2 * MAX_INGEST_BYTES));
    for (const from of [randomAddress(), ...addresses])
      expect((await post(newSource(), MAX_INGEST_BYTES, from)).status).toBe(202);
    expect(await heldBytes(gateway)).toBeLessThanOrEqual(16 * MEBIBYTE);
  });

  it('messages pass beside a calls service of the release before, which says no tenants', async () => {
    world.sources.sayNoTenants();
    const sent = await post(newSource(), 2);
    world.sources.sayNoTenants(false);
    expect(sent.status).toBe(202);
  });

  it('404 for a message to a source that there is not, before it is sent', async () => {
    const source = newSource();
    world.sources.missing.add(tokenOf(source));
    const headers = [`Content-Length: ${MAX_INGEST_BYTES}`, `X-Forwarded-For: ${randomAddress()}`];
    const announced = open(gateway.url);
    announced.write(lines(`POST ${source} HTTP/1.1`, 'Host: a', 'Expect: 100-continue', ...headers));
    expect(await answerOn(announced)).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/);
    expect([world.backend.requests, await heldBytes(gateway)]).toEqual([[], 0]);
  });
});

describe('types of call messages', () => {
  let world: GatewayWorld;
  let gateway: Gateway;

  beforeAll(async () => {
    world = await startGatewayWorld();
    gateway = await world.startGateway();
    world.backend.respondWith(() => ({ status: 202, body: '{}' }));
  });
  afterAll(() => world.stop());

  it.each([
    ...[
      'text',
      'garbage',
      'a/b/c',
      'application/json, application/json',
      'application/json;',
      '',
      '/',
      ';a=b',
    ],
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

  it.each(['text', 'garbage', '/'])('so does an empty one of the type “%s”', async (type) => {
    const head = [`POST ${ingestPath('a1b2c3d4e5f6a7b8')} HTTP/1.1`, 'Host: gateway', 'Connection: close'];
    const { status } = await sendRaw(
      gateway.url,
      lines(...head, `Content-Type: ${type}`, 'Content-Length: 0'),
    );
    const sent = world.backend.requests.at(-1);
    expect([status, sent?.headers['content-type'], sent?.rawBody]).toEqual([202, type, '']);
  });

  it('a message without a type goes on without one', async () => {
    const head = [`POST ${ingestPath('a1b2c3d4e5f6a7b8')} HTTP/1.1`, 'Host: gateway', 'Connection: close'];
    const { status } = await sendRaw(gateway.url, `${lines(...head, 'Content-Length: 2')}{}`);
    const sent = world.backend.requests.at(-1);
    expect([status, sent?.headers['content-type'], sent?.rawBody]).toEqual([202, undefined, '{}']);
  });
});

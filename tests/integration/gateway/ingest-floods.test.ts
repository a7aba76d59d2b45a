import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  randomAddress,
  send,
  startGatewayWorld,
  withinOneMinute,
} from './gateway-world.ts';
import { answerOn } from './raw-client.ts';
import { createUploads, heldBytes, statusOf } from './uploads.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

let world: GatewayWorld;
let gateway: Gateway;
const uploads = createUploads();

beforeAll(async () => {
  world = await startGatewayWorld();
});
beforeEach(async () => {
  world.backend.respondWith(() => ({ status: 202, body: '{}' }));
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

/** A message of which all but the last byte is sent. */
async function halfSend(path: string, bytes: number, from: string): Promise<Socket> {
  const framing = `Content-Length: ${bytes}`;
  const socket = await uploads.start(gateway, path, framing, `X-Forwarded-For: ${from}`);
  socket.write('x'.repeat(bytes - 1));
  return socket;
}

async function knownSource(): Promise<string> {
  const source = newSource();
  expect((await post(source, 2)).status).toBe(202);
  return source;
}

/** An address of which calls has refused as many messages as it may. */
async function suspectAddress(): Promise<string> {
  const from = randomAddress();
  world.backend.respondWith(() => ({ status: 404, body: '{}' }));
  const answers = await Promise.all(Array.from({ length: 61 }, () => post(newSource(), 2, from)));
  expect(answers.map(({ status }) => status)).toContain(429);
  world.backend.respondWith(() => ({ status: 202, body: '{}' }));
  world.backend.requests.length = 0;
  return from;
}

it('503 beyond the memory that an address has for sources unknown; tenants’ requests have theirs', async () => {
  const { key } = await world.newCaller(gateway);
  const from = randomAddress();
  const first = await halfSend(newSource(), MAX_INGEST_BYTES, from);
  await eventually(async () => expect(await heldBytes(gateway)).toBe(MAX_INGEST_BYTES));
  expect((await post(newSource(), MAX_INGEST_BYTES, from)).status).toBe(503);
  const init = { method: 'POST', headers: bearer(key), body: 'x'.repeat(MEBIBYTE - 1) };
  expect((await fetch(`${gateway.url}/api/v1/customers`, init)).status).toBe(202);
  first.write('x');
  expect(statusOf(await answerOn(first))).toBe(202);
});

it('a known source has a part of its own: it is not refused for what others send from its address', async () => {
  const source = await knownSource();
  const from = randomAddress();
  await halfSend(newSource(), MAX_INGEST_BYTES, from);
  const burst = await Promise.all(Array.from({ length: 3 }, () => halfSend(source, MAX_INGEST_BYTES, from)));
  await eventually(async () => expect(await heldBytes(gateway)).toBe(4 * MAX_INGEST_BYTES));
  for (const upload of burst) upload.write('x');
  const statuses = (await Promise.all(burst.map(answerOn))).map(statusOf);
  expect(statuses).toEqual([202, 202, 202]);
});

it.each([
  ['two addresses’ large', 2, [5, 2, 1], 16],
  ['many addresses’ large', 8, [5, 5, 5], 20],
  ['many addresses’ small', 6, Array<number>(32).fill(1 / 4), 31],
])('half-sent: %s messages leave room for every other one', async (_whose, addresses, sizes, filled) => {
  const source = await knownSource();
  await Promise.all(
    Array.from({ length: addresses }, randomAddress).flatMap((from) =>
      sizes.map((mebibytes) => halfSend(newSource(), mebibytes * MEBIBYTE, from)),
    ),
  );
  await eventually(async () => expect(await heldBytes(gateway)).toBeGreaterThanOrEqual(filled * MEBIBYTE));
  for (const bytes of [KIBIBYTE, 200 * KIBIBYTE, 2 * MEBIBYTE]) {
    expect([bytes, (await post(newSource(), bytes)).status]).toEqual([bytes, 202]);
  }
  expect((await post(source, MAX_INGEST_BYTES)).status).toBe(202);
});

describe('from an address of which calls has refused 60 messages in a minute', () => {
  it('429 for a large message to a source unknown, before it is sent', () =>
    withinOneMinute(async () => {
      const from = await suspectAddress();
      const announced = await uploads.start(
        gateway,
        newSource(),
        `Content-Length: ${MAX_INGEST_BYTES}`,
        `X-Forwarded-For: ${from}`,
      );
      const answer = await answerOn(announced);
      expect(answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*"code":"rate_limited"/);
      expect(answer.toLowerCase()).toContain('retry-after: ');
      expect(world.backend.requests).toEqual([]);
    }));

  it('429 for one of which more comes than a small one has, without the rest', () =>
    withinOneMinute(async () => {
      const from = await suspectAddress();
      const chunked = await uploads.start(
        gateway,
        newSource(),
        'Transfer-Encoding: chunked',
        `X-Forwarded-For: ${from}`,
      );
      const size = 257 * KIBIBYTE;
      chunked.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
      expect(statusOf(await answerOn(chunked))).toBe(429);
      expect(world.backend.requests).toEqual([]);
    }));

  it('small ones to sources unknown pass, and all to known ones', () =>
    withinOneMinute(async () => {
      const source = await knownSource();
      const from = await suspectAddress();
      const statuses = [
        (await post(newSource(), 200 * KIBIBYTE, from)).status,
        (await post(source, MAX_INGEST_BYTES, from)).status,
      ];
      expect(statuses).toEqual([202, 202]);
    }));
});

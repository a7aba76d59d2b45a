import type { Socket } from 'node:net';
import { eventually } from '../../support/index.ts';
import { lines, open } from './raw-client.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld } from './upstream-world.ts';

const MEBIBYTE = 1024 * 1024;
/** As many calls as one address takes at once. */
const PLACES = 128;
/** Far beyond what the system's own buffers take of it. */
const LARGE = Buffer.alloc(12 * MEBIBYTE, 'x');
const MEMORY_BYTES = 16 * MEBIBYTE;

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterEach(endUpstreamWorlds);

/** One address; large answers on every path but /small. */
async function startLargeWorld() {
  const world = await startUpstreamWorld({ up: [0], hosts: [HOSTS[0]] });
  world.receivers[0]?.respondWith(({ path }) => ({
    status: 200,
    body: path.endsWith('/small') ? 'ok' : LARGE,
  }));
  /** A client of this holder that asks and then reads nothing, but for the first bytes. */
  const ask = (holder: string) => {
    const socket = open(world.url);
    socket.on('error', () => {});
    socket.write(lines(`GET /${holder}/large HTTP/1.1`, 'host: x'));
    sockets.push(socket);
    return socket;
  };
  const small = async (holder: string) => {
    const response = await fetch(`${world.url}/${holder}/small`);
    return [response.status, await response.text()];
  };
  const unreadBytes = async () => {
    const [, bytes] = /^gateway_unread_answer_bytes (\d+)$/m.exec(await world.metrics()) ?? [];
    return Number(bytes);
  };
  return { ...world, ask, small, unreadBytes };
}

it('whoever reads none of many large answers takes no connection to a backend from others', async () => {
  const { ask, small, unreadBytes, received } = await startLargeWorld();
  let cutOff = 0;
  for (let n = 0; n < PLACES + 20; n += 1) {
    const socket = ask('careless');
    socket.on('close', () => {
      cutOff += 1;
    });
    socket.once('readable', () => {});
  }
  await eventually(() => expect(received()[0]).toBeGreaterThanOrEqual(PLACES));
  expect(await small('other')).toEqual([200, 'ok']);
  expect(await small('careless')).toEqual([200, 'ok']);
  await eventually(async () => expect(await unreadBytes()).toBeGreaterThan(0));
  expect(await unreadBytes()).toBeLessThanOrEqual(MEMORY_BYTES);

  // A few wait with the rest of their answers in the connection; they get all of it once they read.
  const waiting = sockets.filter((socket) => !socket.destroyed);
  for (const socket of sockets) socket.resume();
  await eventually(() => expect(cutOff).toBeGreaterThan(PLACES / 2));
  expect(waiting.length).toBeGreaterThan(0);
  await eventually(async () => expect(await unreadBytes()).toBe(0));
});

it('who reads slowly gets all of a large answer', async () => {
  const { ask, unreadBytes } = await startLargeWorld();
  const socket = ask('slow');
  await eventually(async () => expect(await unreadBytes()).toBeGreaterThan(MEBIBYTE));
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await eventually(() => expect(bytes).toBeGreaterThan(LARGE.length));
  await eventually(async () => expect(await unreadBytes()).toBe(0));
});

it('answers that pile up behind a slow one on the same connection go with it', async () => {
  const { url, unreadBytes, receivers, received } = await startLargeWorld();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receivers[0]?.respondWith(async ({ path }) => {
    if (path.endsWith('/slow')) await released;
    return { status: 200, body: LARGE };
  });
  const socket = open(url);
  sockets.push(socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write(lines('GET /careless/slow HTTP/1.1', 'host: x'));
  await eventually(() => expect(received()).toEqual([1]));
  socket.write(lines('GET /careless/large HTTP/1.1', 'host: x').repeat(20));
  await closed;
  release();
  await eventually(async () => expect(await unreadBytes()).toBe(0));
});

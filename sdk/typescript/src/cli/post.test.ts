import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { KEPT_ANSWER_BYTES } from '@frontdesk/contracts';
import { post } from './post.ts';

const LONG_MS = 60_000;
const SHORT_MS = 100;
const never = new AbortController().signal;

let server: Server;
let sockets: Socket[];
let sent: (socket: Socket) => void;
beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => sent(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

const send = (timeoutMs = LONG_MS, signal = never) => {
  const { port } = server.address() as { port: number };
  return post(new URL(`http://localhost:${port}/`), {}, Buffer.from('{}'), { timeoutMs, signal });
};
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';

it.each<[string, string, (socket: Socket) => void]>([
  ['timeout', 'says nothing', () => {}],
  ['timeout', 'stops in the middle of its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: ')],
  ['timeout', 'stops in the middle of its body', (socket) => socket.write(`${answer}half`)],
])('%s: a receiver that %s', async (fault, _what, respond) => {
  sent = respond;
  expect(await send(SHORT_MS)).toMatchObject({ status: null, fault, durationMs: expect.any(Number) });
});

it.each<[string, string, (socket: Socket) => void]>([
  ['reset', 'closes before it answers', (socket) => socket.end()],
  ['reset', 'closes in the middle of its body', (socket) => socket.end(`${answer}half`)],
  ['protocol', 'answers something else than HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
  [
    'protocol',
    'answers with endless headers',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(100_000)}`),
  ],
  [
    'reset',
    'wants to speak another protocol',
    (socket) => socket.end('HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  ],
])('%s: a receiver that %s', async (fault, _what, respond) => {
  sent = respond;
  expect(await send()).toMatchObject({ status: null, fault });
});

it('an answer without an end is read as far as the delivery log keeps one, and counts', async () => {
  sent = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const pour = () => {
      while (socket.writable && socket.write(Buffer.alloc(64 * 1024, 'x')));
    };
    socket.on('drain', pour);
    pour();
  };
  const outcome = await send();
  expect(outcome).toMatchObject({ status: 200, fault: null });
  expect(outcome.answer).toHaveLength(KEPT_ANSWER_BYTES);
});

it('the user’s signal ends it with its reason', async () => {
  const ending = new AbortController();
  sent = () => ending.abort('signal');
  await expect(send(LONG_MS, ending.signal)).rejects.toBe('signal');
});

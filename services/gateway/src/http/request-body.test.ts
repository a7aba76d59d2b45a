import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type App, createApp, createLogger, createMetrics } from '@frontdesk/service';
import { createMemoryBudget } from './body-memory.limits.ts';
import { readBodies } from './request-body.ts';

const PACE_MS = 250;
/** What has come of bodies. */
const arrivals = new EventEmitter();
const budget = createMemoryBudget({ totalBytes: 1_000 });
let app: App;
let socket: Socket;

beforeAll(async () => {
  app = createApp({ logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    request.raw.on('data', () => arrivals.emit('chunk'));
    done(null, payload);
  });
  await app.register(readBodies, {
    budget,
    maxBytes: 1_000,
    boundsOf: () => [{ holder: 'anyone', bytes: 1_000 }],
    pace: { bytes: 10, everyMs: PACE_MS },
  });
  app.post('/', async ({ body }) => String((body as Buffer).length));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(() => {
  // The pace's own timer, and no other.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'],
  });
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write('POST / HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 100\r\n\r\n');
});
afterEach(() => {
  jest.useRealTimers();
  socket.destroy();
});

/** Until so many bytes of the body have come. */
async function send(bytes: number): Promise<void> {
  const arrived = once(arrivals, 'chunk');
  socket.write('x'.repeat(bytes));
  await arrived;
}

async function answer(): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

it('408 for a body that comes more slowly than its pace, and its memory is free', async () => {
  await send(99);
  jest.advanceTimersByTime(2 * PACE_MS);
  const said = await answer();
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain('"code":"request_timeout"');
  expect(budget.held()).toBe(0);
});

it('a body that keeps the pace may take as long as it takes', async () => {
  for (let drop = 0; drop < 10; drop += 1) {
    await send(10);
    jest.advanceTimersByTime(PACE_MS);
  }
  expect(await answer()).toMatch(/^HTTP\/1\.1 200 /);
});

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type App, createApp, createLogger, createMetrics } from '@frontdesk/service';
import { createMemoryBudget } from '../domain/memory-budget.ts';
import { createBodyReader, leaveBodiesUnparsed } from './request-body.ts';

const budget = createMemoryBudget({ totalBytes: 1_000, holderBytes: 1_000 });
let app: App;
let socket: Socket;

beforeAll(async () => {
  app = createApp({ logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() });
  leaveBodiesUnparsed(app);
  const readBody = createBodyReader({
    budget,
    maxBytes: 1_000,
    holderOf: () => 'anyone',
    pace: { bytes: 10, everyMs: 250 },
  });
  app.post('/', async (request, reply) => ({ bytes: (await readBody(request, reply))?.length }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());
beforeEach(() => {
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write('POST / HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 100\r\n\r\n');
});
afterEach(() => socket.destroy());

async function answer(): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

it('408 for a body that comes more slowly than its pace, and its memory is free', async () => {
  socket.write('x'.repeat(99));
  const said = await answer();
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain('"code":"request_timeout"');
  expect(budget.held()).toBe(0);
});

it('a body that keeps the pace may take as long as it takes', async () => {
  const dripping = setInterval(() => socket.write('x'.repeat(10)), 40);
  const [said] = (await once(socket, 'data')) as [string];
  clearInterval(dripping);
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
});

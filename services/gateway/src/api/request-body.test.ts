import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger, createMetrics, type PlainServer } from '@frontdesk/service';
import { createMemoryBudget } from '../domain/memory-budget.ts';
import { createPublicPort } from './public-port.ts';
import { createBodyReader } from './request-body.ts';

const budget = createMemoryBudget({ totalBytes: 1_000, holderBytes: 1_000 });
let app: PlainServer;
let socket: Socket;

beforeAll(async () => {
  const readBody = createBodyReader({
    budget,
    maxBytes: 1_000,
    holderOf: () => 'anyone',
    pace: { bytes: 10, everyMs: 250 },
  });
  app = createPublicPort({
    routes: [
      {
        name: '/',
        methods: ['POST'],
        takesNoKey: true,
        matches: () => true,
        async answer(context) {
          context.response.end(String((await readBody(context))?.length));
        },
      },
    ],
    authenticate: async () => {},
    logger: createLogger({ name: 'test', level: 'silent' }),
    metrics: createMetrics(),
    onAnswered() {},
  });
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

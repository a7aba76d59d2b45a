import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPlainServer, type PlainServer } from './plain-server.ts';

let server: PlainServer;
let answerAll: () => void;
let arrived: Promise<void>;

beforeEach(async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  [answerAll, arrived] = [answer, promise];
  server = createPlainServer({
    onRequest(_request, response) {
      arrive();
      void answered.then(() => response.end('answer'));
    },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const open = () => connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1').setEncoding('utf8');
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

it('a stop waits for the answer under way, and tells who asks again on that connection to go elsewhere', async () => {
  const socket = open();
  socket.write(REQUEST);
  await arrived;
  const closed = server.close();
  answerAll();
  const [first] = (await once(socket, 'data')) as [string];
  expect(first).toMatch(/^HTTP\/1\.1 200 [\s\S]*answer/);
  socket.write(REQUEST);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*answer/i);
  await closed;
});

it('an answer to a client that has gone is nobody’s, and no harm', async () => {
  let gone = (): void => {};
  const left = new Promise<void>((resolve) => (gone = resolve));
  const late = createPlainServer({
    onRequest(_request, response) {
      response.once('close', () => {
        response.writeHead(200).write('late');
        response.end();
        setImmediate(gone);
      });
      client.destroy();
    },
  });
  await late.listen({ host: '127.0.0.1', port: 0 });
  const client = connect(Number(new URL(late.listeningOrigin).port), '127.0.0.1');
  client.write(REQUEST);
  await left;
  await late.close();
});

it('what is no HTTP is answered in the envelope', async () => {
  const socket = open();
  socket.end('SAY hello\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
});

it('a port that is taken is an error', async () => {
  const other = createPlainServer({ onRequest() {} });
  const port = Number(new URL(server.listeningOrigin).port);
  await expect(other.listen({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  await other.close();
});

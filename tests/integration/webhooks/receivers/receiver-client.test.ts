import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import {
  createReceiverClient,
  type ReceiverClient,
} from '../../../../services/webhooks/src/receivers/receiver.client.ts';
import { type DnsServer, eventually, startDnsServer } from '../../../support/index.ts';
import { startGuard } from '../guard.ts';

const SHORT_MS = 300;
const NEVER_MS = 600_000;

describe('the client of receivers', () => {
  let client: ReceiverClient;
  let hasty: ReceiverClient;
  let servers: Server[];
  let dns: DnsServer;
  let stopResolver: () => Promise<void>;

  const listen = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** It closes no connection by itself. */
  const serve = (listener: RequestListener) =>
    listen(createHttpServer({ keepAliveTimeout: NEVER_MS }, listener));
  const post = (url: string, by = client) => by.post(url, {}, Buffer.from('{}'));

  beforeEach(async () => {
    servers = [];
    dns = await startDnsServer();
    const { guard, resolver } = startGuard({ allowPrivate: true, servers: [dns.address] });
    stopResolver = resolver.stop;
    client = createReceiverClient({ timeoutMs: NEVER_MS, connections: 10, keepUpTo: 20, guard });
    hasty = createReceiverClient({ timeoutMs: SHORT_MS, connections: 10, keepUpTo: 20, guard });
  });

  afterEach(async () => {
    await Promise.all([client.stop(), hasty.stop()]);
    await stopResolver();
    await dns.close();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const cutOff = { httpStatus: null, responseBody: null, errorClass: 'timeout' };

  it('gives up at the deadline on a receiver that never answers', async () => {
    const url = await serve(() => {});
    expect(await post(url, hasty)).toMatchObject(cutOff);
  });

  it('gives up at the deadline on a body that drips, and closes the connection', async () => {
    let open: ServerResponse | undefined;
    const url = await serve((_request, response) => {
      open = response;
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    // On a slow machine the deadline may pass before a request is even there.
    await eventually(async () => {
      expect(await post(url, hasty)).toMatchObject(cutOff);
      expect(open).toBeDefined();
    });
    await eventually(() => expect(open?.destroyed).toBe(true));
  });

  it('gives up at the deadline on headers that drip', async () => {
    const url = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.resume();
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await post(url, hasty)).toMatchObject(cutOff);
  });

  it('keeps 16 KiB of a long answer, closes the connection and takes the status for the result', async () => {
    let open: ServerResponse | undefined;
    const url = await serve((_request, response) => {
      open = response;
      response.end('x'.repeat(1_000_000));
    });
    const outcome = await post(url);
    expect(outcome).toMatchObject({ httpStatus: 200, errorClass: null });
    expect(outcome.responseBody).toBe('x'.repeat(16_384));
    await eventually(() => expect(open?.destroyed).toBe(true));
  });

  it('cuts an answer between characters', async () => {
    const url = await serve((_request, response) => response.end(`x${'é'.repeat(10_000)}`));
    expect((await post(url)).responseBody).toBe(`x${'é'.repeat(8_191)}`);
  });

  it('keeps the connection for the deliveries that follow', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume();
      response.end('ok');
    });
    for (let count = 0; count < 10; count += 1) {
      expect(await post(url)).toMatchObject({ httpStatus: 200, responseBody: 'ok' });
    }
    // One more is opened where a delivery follows before the last answer is quite cleared away.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('closes what it opens while more connections than so many are open, and uses those that are', async () => {
    const { guard } = startGuard({ allowPrivate: true });
    await client.stop();
    client = createReceiverClient({ timeoutMs: NEVER_MS, connections: 10, keepUpTo: 1, guard });
    const asked: (string | undefined)[] = [];
    const sockets = new Set<unknown>();
    const origin = () =>
      serve((request, response) => {
        asked.push(request.headers.connection);
        sockets.add(request.socket);
        response.end();
      });
    const [first, second, third] = [await origin(), await origin(), await origin()];
    for (const url of [first, second, third]) expect(await post(url)).toMatchObject({ httpStatus: 200 });
    await post(first);
    expect(asked).toEqual(['keep-alive', 'keep-alive', 'close', 'keep-alive']);
    expect(sockets.size).toBe(3);
  });

  it('fails a success whose body breaks off', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    expect(await post(url)).toMatchObject({ httpStatus: null, errorClass: 'reset' });
  });

  it.each([
    ['refuses the connection', 'http://127.0.0.1:1', 'connect'],
    ['has a name that does not exist', 'http://receiver.invalid', 'dns'],
  ])('says so of a receiver that %s', async (_case, url, errorClass) => {
    expect(await post(url)).toMatchObject({ httpStatus: null, errorClass });
  });

  it('says so of a receiver that speaks no TLS', async () => {
    const url = await serve((_request, response) => response.end());
    expect(await post(url.replace('http:', 'https:'))).toMatchObject({ errorClass: 'tls' });
  });

  it('says so of a receiver that speaks no HTTP', async () => {
    const url = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.end('220 mail.example.com ESMTP\r\n'))),
    );
    expect(await post(url)).toMatchObject({ errorClass: 'protocol' });
  });
});

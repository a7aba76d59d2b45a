import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver on every address of this machine, which tells its connections by address and its requests by host. It
 * answers 200, and closes nothing by itself.
 */
export async function startCountingListener() {
  const connectedTo: string[] = [];
  const requested: string[] = [];
  let keepsConnections = true;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    requested.push(request.headers.host ?? '');
    request.resume();
    response.shouldKeepAlive = keepsConnections;
    response.end('reached');
  });
  server.on('connection', (socket) => connectedTo.push(socket.localAddress?.replace('::ffff:', '') ?? ''));
  await new Promise<void>((resolve, reject) => {
    // All of IPv4 where there is no IPv6.
    server.once('error', () => server.listen(0, '0.0.0.0', resolve).once('error', reject));
    server.listen(0, '::', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connectedTo,
    requested,
    /** From now on each request needs a connection of its own. */
    closeAfterEach: () => {
      keepsConnections = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

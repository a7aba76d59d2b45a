import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Throws one line naming the port, and what to do, when something listens on it. */
export async function requireFreePort(port: number, user: string): Promise<void> {
  const fault = await listenOnce(port).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!fault) return;
  if (fault.code !== 'EADDRINUSE') throw fault;
  throw new Error(
    `Port ${port}, needed by ${user}, is in use. Stop what uses it, or choose other ports with PORT_BASE, for example PORT_BASE=5000.`,
  );
}

/** Finds so many different ports that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  await Promise.all(servers.map(({ close }) => close()));
  return servers.map(({ port }) => port);
}

async function listenOnce(port: number): Promise<void> {
  const { close } = await listen(port);
  await close();
}

function listen(port: number): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ port: bound, close: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

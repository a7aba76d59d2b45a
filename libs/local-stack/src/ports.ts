import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** Below those that outgoing connections get, which begin at 32,768: nothing takes one of these by chance. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MOST_TRIES = 1_000;

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

/** Finds so many different ports that nobody listens on, and reserves them. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > MOST_TRIES) throw new Error('No free port can be had.');
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await reservePorts([port])) ports.push(port);
  }
  return ports;
}

/**
 * Makes sure that, as long as this process lives, no other process gets any of these ports from here, for whatever will listen on
 * them. False where that can't be had: one is reserved already, or in use.
 */
export async function reservePorts(ports: readonly number[]): Promise<boolean> {
  const releases: (() => void)[] = [];
  for (const port of ports) {
    const release = await reserve(port);
    if (release) releases.push(release);
    const isFree = release !== null && (await isUnused(port));
    if (isFree) continue;
    for (const undo of releases) undo();
    return false;
  }
  return true;
}

/** Holds the UDP port of the same number, which the system frees however this process ends; null where somebody else does. */
function reserve(port: number): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind({ port, address: HOST, exclusive: true }, () => {
      socket.unref();
      resolve(() => socket.close());
    });
  });
}

function isUnused(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => server.close(() => resolve()));
  });
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports.ts';

export interface Relay {
  /** As that of the engine behind it. */
  url: string;
  /** The engine is gone: connections break and new ones are refused. */
  cut(): Promise<void>;
  /** The engine hangs: it accepts everything and answers nothing, and not even its end is heard of. */
  hang(): void;
  /** The engine is there again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A way to a real engine that a test can break and mend, whatever kind of engine it is. */
export async function startRelay(engineUrl: string): Promise<Relay> {
  const target = new URL(engineUrl);
  const sockets = new Set<Socket>();
  /** Client → its connection to the engine. */
  const clients = new Map<Socket, Socket>();
  let isHanging = false;

  const server = createServer((client) => {
    const engine = connect(Number(target.port), target.hostname);
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    clients.set(client, engine);
    client.pipe(engine);
    if (isHanging) client.pause();
    else engine.pipe(client, { end: false });
    client.on('close', () => {
      clients.delete(client);
      engine.destroy();
    });
    engine.on('close', () => {
      if (!isHanging) client.destroy();
    });
  });
  // Nobody else gets the port while it is cut: it is none of those that outgoing connections get.
  const port = await freePort();
  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  const resume = (client: Socket, engine: Socket) => {
    if (engine.destroyed) client.destroy();
    engine.pipe(client, { end: false });
    client.resume();
  };

  await listen();
  return {
    url: Object.assign(new URL(engineUrl), { host: `127.0.0.1:${port}` }).toString(),
    cut: close,
    hang() {
      isHanging = true;
      for (const [client, engine] of clients) {
        client.pause();
        engine.unpipe(client).pause();
      }
    },
    async restore() {
      if (isHanging) for (const [client, engine] of clients) resume(client, engine);
      isHanging = false;
      if (!server.listening) await listen();
    },
    close: async () => {
      if (server.listening) await close();
    },
  };
}

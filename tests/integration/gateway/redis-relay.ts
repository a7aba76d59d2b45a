import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface RedisRelay {
  url: string;
  /** Redis is gone: connections break and new ones are refused. */
  cut(): Promise<void>;
  /** Redis hangs: it accepts everything and answers nothing. */
  hang(): void;
  /** Redis is there again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A way to a real Redis that a test can break and mend, whatever kind of engine it is. */
export async function startRedisRelay(redisUrl: string): Promise<RedisRelay> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let isHanging = false;

  const server = createServer((client) => {
    const redis = connect(Number(target.port), target.hostname);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    clients.add(client);
    client.pipe(redis).pipe(client);
    if (isHanging) client.pause();
    client.on('close', () => {
      clients.delete(client);
      redis.destroy();
    });
    redis.on('close', () => client.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    cut: close,
    hang() {
      isHanging = true;
      for (const client of clients) client.pause();
    },
    async restore() {
      isHanging = false;
      for (const client of clients) client.resume();
      if (!server.listening) await listen(port);
    },
    close: async () => {
      if (server.listening) await close();
    },
  };
}

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/** A page at an origin of its own, which has the modules of a folder beneath /client, and passes /api on: the gateway has no CORS. */
export async function servePage(folder: string, { gatewayUrl }: { gatewayUrl: string }) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://page');
    if (pathname.startsWith('/api/')) {
      const body = Buffer.concat(await request.toArray());
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const passed = await fetch(gatewayUrl + pathname + search, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const kept = [...passed.headers].filter(
        ([name]) => !/^(content-length|content-encoding|connection)$/.test(name),
      );
      response
        .writeHead(passed.status, Object.fromEntries(kept))
        .end(Buffer.from(await passed.arrayBuffer()));
    } else if (pathname.startsWith('/client/')) {
      const file = join(folder, normalize(pathname.slice('/client'.length)));
      response.setHeader('content-type', 'text/javascript').end(await readFile(file));
    } else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Booking</title>');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientError } from './client-errors.ts';
import { leaveNothingToNode } from './http-rules.ts';
import { createServer } from './node-http.ts';
import { type SendingLimits, serverLimits } from './server-limits.ts';

/** As long as a Fastify app keeps an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** An HTTP server without Fastify, for whoever forwards more than it answers; under the same rules as an app. */
export interface PlainServer {
  server: Server;
  /** Base URL once it listens. */
  readonly listeningOrigin: string;
  listen(at: { host: string; port: number }): Promise<void>;
  /** Takes no more connections; resolves when all are gone. Whose request comes meanwhile is told to connect elsewhere. */
  close(): Promise<void>;
}

export function createPlainServer(options: SendingLimits & { onRequest: RequestListener }): PlainServer {
  const { onRequest } = options;
  let isClosing = false;
  const limits = { ...serverLimits(options), keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS };
  const server = createServer(limits, (request, response) => {
    if (isClosing) response.setHeader('connection', 'close');
    onRequest(request, response);
  });
  server.on('clientError', answerClientError);
  leaveNothingToNode(server);

  return {
    server,
    get listeningOrigin() {
      const { address, family, port } = server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    async listen(at) {
      server.listen(at);
      await once(server, 'listening');
    },
    async close() {
      isClosing = true;
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

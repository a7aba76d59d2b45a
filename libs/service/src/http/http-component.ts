import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Component } from '../run/component.ts';

export interface HttpComponent extends Component {
  /** Base URL once started, for example `http://127.0.0.1:4000`. */
  url(): string;
}

const SWEEP_INTERVAL_MS = 50;
/** Requests in flight get this long to end; a client that never finishes sending must not keep the rest from stopping. */
const FINISH_TIMEOUT_MS = 8_000;

/**
 * A listening port. While it drains, it goes on answering, closes each connection behind its answer, and is not ready. Stopping it
 * refuses new connections and finishes the requests in flight, for eight seconds at most.
 */
export function httpComponent(options: {
  name: string;
  /** A Fastify app, as far as it matters here. */
  app: {
    server: Server;
    listen(at: { host: string; port: number }): Promise<unknown>;
    close(): Promise<unknown>;
  };
  host: string;
  port: number;
  finishTimeoutMs?: number;
}): HttpComponent {
  const { name, app, host, port, finishTimeoutMs = FINISH_TIMEOUT_MS } = options;
  let isDraining = false;
  // Before the app has the request: Node then writes `Connection: close` itself, whatever the answer is.
  app.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false;
  });
  return {
    name,
    drain() {
      isDraining = true;
    },
    ready: () => (isDraining ? 'draining' : null),
    async start() {
      await app.listen({ host, port });
    },
    async stop() {
      // A connection with a request in flight is not idle yet when the stop begins, and would be kept alive after it.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_INTERVAL_MS);
      const overdue = setTimeout(() => app.server.closeAllConnections(), finishTimeoutMs);
      try {
        await app.close();
      } finally {
        clearInterval(sweep);
        clearTimeout(overdue);
      }
    },
    url() {
      const address = app.server.address() as AddressInfo;
      return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
    },
  };
}

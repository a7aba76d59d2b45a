import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: string;
  receivedAt: Date;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Answers a request; one that never resolves keeps its sender waiting. */
type Responder = (request: ReceivedRequest) => Reply | Promise<Reply>;

export interface Receiver {
  url: string;
  /** Everything that came in so far, the oldest first. */
  requests: ReceivedRequest[];
  /** How many were opened so far. */
  connections: () => number;
  respondWith: (responder: Responder) => void;
  close: () => Promise<void>;
}

/** A real HTTP server that records what it is sent, and answers 200 by default. */
export async function startReceiver({ host = '127.0.0.1', port = 0 } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let responder: Responder = () => ({ status: 200 });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      rawBody: await text(incoming),
      receivedAt: new Date(),
    };
    requests.push(request);
    const { status, headers = {}, body = '' } = await responder(request);
    // Not by `writeHead`, so that Node states the body's length, as our services do.
    outgoing.statusCode = status;
    outgoing.setHeaders(new Map(Object.entries(headers))).end(body);
  };
  // It closes no idle connection: that would break off a request that comes at the same moment.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    // A sender that hangs up is its own affair; a responder that throws shows as a hang-up to the sender.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    respondWith: (next) => {
      responder = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

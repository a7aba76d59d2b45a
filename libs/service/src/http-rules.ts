import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOnSocket } from './client-errors.ts';
import { AppError } from './errors.ts';

/** What a Host header may be made of (RFC 3986, 3.2.2 and 3.2.3). */
const HOST = /^[\w.~!$&'()*+,;=:%[\]-]*$/;
const CONTINUE = /^100-continue$/i;

type Done = (error?: Error | null) => void;

interface RuledApp {
  server: Server;
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: Done) => void,
  ): unknown;
  addHook(
    name: 'preParsing',
    hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void,
  ): unknown;
}

/**
 * Rules of HTTP that Node would answer for in its own way, or let pass: they are kept in the envelope too. Needs
 * `requireHostHeader: false`.
 */
export function keepHttpRules(app: RuledApp): void {
  leaveNothingToNode(app.server);
  app.addHook('onRequest', ({ raw }, _reply, done) => done(hostRefusal(raw)));
  // Once it is known who asks.
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => done(expectationRefusal(raw)));
}

/** What Node would answer for by itself goes its way, to be refused where other requests are, or is refused here. */
function leaveNothingToNode(server: Server): void {
  // Node answers 417 here without a word.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerOnSocket(socket, new AppError('bad_request', 'This server is no proxy.'));
  });
}

/** 400 for a request that may mean different hosts to others on the way. */
function hostRefusal(request: IncomingMessage): AppError | null {
  if (hasOneHost(request)) return null;
  return new AppError('bad_request', 'The request must have one valid Host header.');
}

/** 417 for a request that expects what no server of ours does. */
function expectationRefusal({ headers: { expect } }: IncomingMessage): AppError | null {
  if (expect === undefined || CONTINUE.test(expect)) return null;
  return new AppError('expectation_failed', 'The Expect header can’t be met.', {
    headers: { connection: 'close' },
  });
}

/** RFC 9112, 3.2: neither none (of HTTP/1.1) nor several nor a bad one. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (!HOST.test(rawHeaders[i + 1] as string)) return false;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

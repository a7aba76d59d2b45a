import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { answerOnSocket } from '../errors/parser-errors.ts';

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
  addHook(name: 'preParsing', hook: PreParsing): unknown;
  addHook(name: 'onRoute', hook: (route: { preParsing?: unknown }) => void): unknown;
}

type PreParsing = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void;

/**
 * Enforces rules of HTTP that Node would enforce in a format of its own, or not at all: so these errors come in the envelope too. Needs
 * `requireHostHeader: false`.
 */
export function keepHttpRules(app: RuledApp): void {
  leaveNothingToNode(app.server);
  app.addHook('onRequest', ({ raw }, _reply, done) => done(hostRefusal(raw)));
  // After the check of the key or identity.
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => done(expectationRefusal(raw)));
  inviteBodies(app);
}

/**
 * Says 100 to a client that asks before it sends its body (`Expect: 100-continue`), once the head alone can't refuse the request. Node would do so
 * before anything is checked. Behind a refusal Node closes the connection: the client may send its body all the same.
 */
function inviteBodies(app: RuledApp): void {
  const asking = new WeakSet<ServerResponse>();
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    asking.add(response);
    app.server.emit('request', request, response);
  });
  const invite: PreParsing = (_request, { raw }, _payload, done) => {
    if (asking.delete(raw)) raw.writeContinue();
    done();
  };
  // As the route's own hook it runs after those of the app, which may still refuse the body for its length.
  app.addHook('onRoute', (route) => {
    route.preParsing = [route.preParsing ?? [], invite].flat();
  });
}

/** Takes over two kinds of requests that Node would answer by itself: one with `Expect` goes on as others do, CONNECT is refused here. */
function leaveNothingToNode(server: Server): void {
  // By itself, Node answers 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerOnSocket(socket, new AppError('bad_request', 'This server is no proxy.'));
  });
}

/** 400 for a request that servers on the way may read as meant for different hosts. */
function hostRefusal(request: IncomingMessage): AppError | null {
  if (hasOneHost(request)) return null;
  return new AppError('bad_request', 'The request must have one valid Host header.');
}

/** 417 for an expectation other than 100-continue. */
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

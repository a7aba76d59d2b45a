import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from './app-error.ts';
import { errorBody } from './error-answers.ts';

/** What Node's parser found wrong with a request that never became one. */
function asAppError(code: string | undefined): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The request headers are too large.');
    default:
      return new AppError('bad_request', 'The request is not valid HTTP.');
  }
}

/** A client that doesn't read its answer and close has this long, then its descriptor is ours again. */
const LINGER_MS = 1_000;

/**
 * Answers what the HTTP parser refuses in the envelope too, and ends the connection: what follows on it has no meaning. A request that has
 * its answer already, while its body was still coming, gets no other one.
 */
export function createParserErrors() {
  const answered = new WeakMap<Socket, IncomingMessage>();
  return {
    /** For each request of a server. */
    watch: (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request;
      response.once('close', () => {
        if (!request.complete) answered.set(socket, request);
      });
    },
    answer: (error: { code?: string }, socket: Socket & { _httpMessage?: unknown }): void => {
      // If an earlier answer is not complete, this one would land in its middle: then the connection is closed without an answer.
      const isMidAnswer = socket.bytesWritten > 0 && socket._httpMessage;
      const isAnswered = answered.get(socket)?.complete === false;
      if (error.code === 'ECONNRESET' || !socket.writable || isMidAnswer || isAnswered) socket.destroy();
      else answerOnSocket(socket, asAppError(error.code));
    },
  };
}

/** Writes an error answer to the socket itself, where there is no request that a route could answer, and closes the connection. */
export function answerOnSocket(socket: Socket, failure: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(failure, requestId));
  socket.once('error', () => socket.destroy());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

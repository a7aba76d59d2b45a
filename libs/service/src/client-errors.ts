import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from './errors.ts';
import { failureBody } from './failures.ts';

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

/** Answers what the HTTP parser refuses in the envelope too, and ends the connection: what follows on it has no meaning. */
export function answerClientError(
  error: { code?: string },
  socket: Socket & { _httpMessage?: unknown },
): void {
  // Bytes written before belong to another answer, which this one would end up in the middle of, unless that is over.
  const isMidAnswer = socket.bytesWritten > 0 && socket._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || isMidAnswer) socket.destroy();
  else answerOnSocket(socket, asAppError(error.code));
}

/** The failure envelope to a client of whom there is no request that a route could answer, as the last on its connection. */
export function answerOnSocket(socket: Socket, failure: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(failureBody(failure, requestId));
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

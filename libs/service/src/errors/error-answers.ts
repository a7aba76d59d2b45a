import { type Failure, reasonsOfFaults } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** Sends the failure envelope, with `more` beside it. What went wrong inside is logged for 5xx and never leaves. */
export function answerError(
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  more: object = {},
): FastifyReply {
  if (error.status >= 500) request.log.error({ err: error.cause ?? error }, error.message);
  return reply
    .code(error.status)
    .headers({ 'x-request-id': request.id, ...error.headers })
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(JSON.stringify({ ...errorBody(error, request.id), ...more }));
}

/** The same on an internal port: other services learn the reasons of field errors too. */
export const answerErrorWithReasons = (
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  answerError(error, request, reply, { reasons: error.faults && reasonsOfFaults(error.faults) });

/** The failure envelope of this error. */
export function errorBody(error: AppError, requestId: string): Failure {
  return {
    success: false,
    code: error.code,
    message: error.message,
    request_id: requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...(error.data === undefined ? {} : { data: error.data }),
  };
}

/**
 * Whatever a handler threw, as one of our codes: Fastify's own refusals by their status, the rest as 500.
 * @param resource public name of the records behind the path
 */
export function toAppError(error: unknown, resource?: string): AppError {
  if (error instanceof AppError) {
    return error.code === 'not_found' && error.message === 'Not found.' && resource
      ? new AppError('not_found', `${resource} not found.`)
      : error;
  }
  const status = (error as { statusCode?: number } | null)?.statusCode;
  if (status === 413)
    return new AppError('payload_too_large', 'The request body is too large.', { cause: error });
  if (status === 415) {
    return new AppError('unsupported_media_type', 'The request body must be application/json.', {
      cause: error,
    });
  }
  if (status === 400) {
    // A JSON body that can't be parsed is a SyntaxError of the parser; Fastify's other refusals bear its codes.
    return error instanceof SyntaxError ||
      (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_JSON_BODY'
      ? new AppError('invalid_json', 'The request body is not valid JSON.', { cause: error })
      : new AppError('bad_request', 'The request is not valid.', { cause: error });
  }
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error });
}

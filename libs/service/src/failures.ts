import type { Failure } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import type { Logger } from './logging.ts';

/** Sends the failure envelope. */
export function answerFailure(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = failureAnswer(error, request.id, request.log);
  return reply
    .code(status)
    .headers(headers)
    .serializer((text: string) => text)
    .send(body);
}

/** The whole answer to a request that failed. What went wrong inside is logged for 5xx and never leaves. */
export function failureAnswer(error: AppError, requestId: string, log: Pick<Logger, 'error'>) {
  if (error.status >= 500) log.error({ err: error.cause ?? error }, error.message);
  return {
    status: error.status,
    headers: {
      'x-request-id': requestId,
      ...error.headers,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(failureBody(error, requestId)),
  };
}

/** The failure envelope of this error. */
export function failureBody(error: AppError, requestId: string): Failure {
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

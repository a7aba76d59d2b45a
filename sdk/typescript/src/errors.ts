import type { FieldErrors, Slot } from './types.ts';

/** Whatever this package throws, apart from the reason of your own AbortSignal. None of it holds the API key or a secret. */
export class FrontdeskError extends Error {
  override readonly name: string = 'FrontdeskError';
}

/** No answer came: no connection, or it broke. `cause` is what `fetch` threw. */
export class ConnectionError extends FrontdeskError {
  override readonly name: string = 'ConnectionError';
}

/** No whole answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The parts of an answer that describe a failure. */
export interface Failure<Code extends string = string> {
  code: Code;
  status: number;
  message: string;
  errors: FieldErrors;
  requestId: string | null;
  data: unknown;
  retryAfterMs: number | null;
  headers: Headers;
}

abstract class Answered<Code extends string> extends FrontdeskError {
  /** Stable: decide by this. */
  readonly code: Code;
  /** HTTP status. */
  readonly status: number;
  /** Field name → what is wrong with it; empty unless fields are at fault. */
  readonly errors: FieldErrors;
  /** Identifies the request when you ask for help. */
  readonly requestId: string | null;
  /** The data that the code's documentation describes; otherwise undefined. */
  readonly data: unknown;
  /** The wait that the answer asks for. */
  readonly retryAfterMs: number | null;
  readonly headers: Headers;

  constructor(failure: Failure<Code>) {
    super(failure.message);
    this.code = failure.code;
    this.status = failure.status;
    this.errors = failure.errors;
    this.requestId = failure.requestId;
    this.data = failure.data;
    this.retryAfterMs = failure.retryAfterMs;
    this.headers = failure.headers;
  }
}

type BadRequestCode =
  | 'bad_request'
  | 'invalid_json'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'form_expired';

/** The request itself could not be read. */
export class BadRequestError extends Answered<BadRequestCode> {
  override readonly name = 'BadRequestError';
}

/** 401: the key is missing, wrong, revoked, expired or deleted. */
export class AuthenticationError extends Answered<'unauthorized' | 'business_required'> {
  override readonly name = 'AuthenticationError';
}

/** 403: the business is suspended, the key lacks a scope, which `data` names, or may not be used from here; or the system holds no times. */
export class PermissionError extends Answered<
  | 'forbidden'
  | 'csrf_failed'
  | 'confirmation_required'
  | 'tenant_suspended'
  | 'insufficient_scope'
  | 'network_not_allowed'
  | 'holds_off'
> {
  override readonly name = 'PermissionError';
}

/** 404: there is no such record. The message names the kind. */
export class NotFoundError extends Answered<'not_found'> {
  override readonly name = 'NotFoundError';
}

abstract class WithAlternatives<Code extends string> extends Answered<Code> {
  /** Up to five of the nearest free slots. */
  declare readonly data: { alternatives: Slot[] };

  constructor(failure: Failure<Code>) {
    const { alternatives } = (failure.data ?? {}) as { alternatives?: unknown };
    super({ ...failure, data: { alternatives: Array.isArray(alternatives) ? alternatives : [] } });
  }
}

/** 409: the time is taken. */
export class SlotUnavailableError extends WithAlternatives<'slot_unavailable'> {
  override readonly name = 'SlotUnavailableError';
}

/** 409: the hold has expired or was given back, or its service or staff member can no longer be booked. */
export class HoldExpiredError extends WithAlternatives<'hold_expired'> {
  override readonly name = 'HoldExpiredError';
}

/** 409: the hold is booked already: for another customer, or it can't be given back because it is an appointment now. */
export class HoldBookedError extends Answered<'hold_booked'> {
  override readonly name = 'HoldBookedError';
}

/** 409: a request with the same idempotency key was still at work after all retries. */
export class RequestInProgressError extends Answered<'request_in_progress'> {
  override readonly name = 'RequestInProgressError';
}

/** 410: events behind the cursor are no longer kept. */
export class CursorExpiredError extends Answered<'cursor_expired'> {
  override readonly name = 'CursorExpiredError';
  /** The cursor at which the feed begins now. */
  declare readonly data: { oldest_cursor: string };
}

/** 412: somebody has changed the record since the version in `ifMatch`. */
export class PreconditionFailedError extends Answered<'precondition_failed'> {
  override readonly name = 'PreconditionFailedError';
}

/** 422: `errors` maps each field at fault to what is wrong with it. */
export class ValidationError extends Answered<'validation_failed'> {
  override readonly name = 'ValidationError';
  /** Where only the time of an appointment is not offered: up to five of the nearest free slots. */
  declare readonly data: { alternatives?: Slot[] } | undefined;
}

/** 422: the cursor was made for another list, filter, sort or business, or is damaged. Begin the walk anew. */
export class InvalidCursorError extends Answered<'invalid_cursor'> {
  override readonly name = 'InvalidCursorError';
}

/** 422: more than the plan, or one request, may have. The message names the limit. */
export class LimitError extends Answered<'quota_exceeded' | 'too_much_asked'> {
  override readonly name = 'LimitError';
}

/** 429: the requests of this minute or day are used up. */
export class RateLimitError extends Answered<'rate_limited'> {
  override readonly name = 'RateLimitError';
}

/** 5xx: the fault is Frontdesk's. */
export class ServerError extends Answered<'internal_error' | 'service_unavailable' | 'upstream_timeout'> {
  override readonly name = 'ServerError';
}

/** The answer has no envelope of Frontdesk's, as from a proxy in between, or a code that this version doesn't know. */
export class UnexpectedAnswerError extends Answered<'unexpected_answer'> {
  override readonly name = 'UnexpectedAnswerError';
}

/** Any answer that is a failure. `error.code` tells which one it is, to the compiler as well. */
export type ApiError =
  | BadRequestError
  | AuthenticationError
  | PermissionError
  | NotFoundError
  | SlotUnavailableError
  | HoldExpiredError
  | HoldBookedError
  | RequestInProgressError
  | CursorExpiredError
  | PreconditionFailedError
  | ValidationError
  | InvalidCursorError
  | LimitError
  | RateLimitError
  | ServerError
  | UnexpectedAnswerError;

/** For `error instanceof ApiError`. */
export const ApiError = Answered as unknown as abstract new (failure: never) => ApiError;

const CLASSES = {
  bad_request: BadRequestError,
  invalid_json: BadRequestError,
  unauthorized: AuthenticationError,
  business_required: AuthenticationError,
  forbidden: PermissionError,
  csrf_failed: PermissionError,
  confirmation_required: PermissionError,
  tenant_suspended: PermissionError,
  insufficient_scope: PermissionError,
  network_not_allowed: PermissionError,
  holds_off: PermissionError,
  not_found: NotFoundError,
  method_not_allowed: BadRequestError,
  request_timeout: BadRequestError,
  slot_unavailable: SlotUnavailableError,
  hold_expired: HoldExpiredError,
  hold_booked: HoldBookedError,
  request_in_progress: RequestInProgressError,
  cursor_expired: CursorExpiredError,
  form_expired: BadRequestError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: BadRequestError,
  unsupported_media_type: BadRequestError,
  expectation_failed: BadRequestError,
  validation_failed: ValidationError,
  invalid_cursor: InvalidCursorError,
  quota_exceeded: LimitError,
  too_much_asked: LimitError,
  rate_limited: RateLimitError,
  headers_too_large: BadRequestError,
  internal_error: ServerError,
  service_unavailable: ServerError,
  upstream_timeout: ServerError,
} as const;

/** Every `code` of a failure that this version knows. */
export type FailureCode = keyof typeof CLASSES;

const isKnown = (code: string): code is FailureCode => Object.hasOwn(CLASSES, code);

/** An expired cursor without the oldest one is of no use. */
const saysWhere = ({ code, data }: Failure): boolean =>
  code !== 'cursor_expired' ||
  typeof (data as { oldest_cursor?: unknown } | null | undefined)?.oldest_cursor === 'string';

/** The error of a failure, by its code. */
export function apiErrorOf(failure: Failure): ApiError {
  if (isKnown(failure.code) && saysWhere(failure))
    return new CLASSES[failure.code](failure as never) as ApiError;
  return new UnexpectedAnswerError({ ...failure, code: 'unexpected_answer' });
}

import type { ApiError, ConnectionError } from '../errors.ts';

export type PassingError = ApiError | ConnectionError;

/** A request that failed, and will be sent again after a wait. */
export interface RetryNotice {
  error: PassingError;
  /** Failures in a row, this one included. */
  failures: number;
  waitMs: number;
}

/** The options of every method. */
export interface RequestOptions {
  /** Aborting it ends the call with the signal's own reason, also during a wait between attempts. */
  signal?: AbortSignal | undefined;
  /** The longest that one attempt may take, instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** The number of further attempts, instead of the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** The longest that all waits which answers ask for may take together, instead of the client's `maxRetryWaitMs`. */
  maxRetryWaitMs?: number | undefined;
  /** Called before each wait, instead of the client's `onRetry`. Throw to end the call. */
  onRetry?: ((notice: RetryNotice) => void) | undefined;
}

export interface CreateOptions extends RequestOptions {
  /** Sent again with the same body within 24 hours, the request gets the first answer. One is made unless you give one. */
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends RequestOptions {
  /** The record's ETag: the change fails with `precondition_failed` if somebody else was faster. */
  ifMatch?: string | undefined;
}

export type Query = Record<string, string | number | boolean | undefined>;

/** One operation of the API, whatever its number of attempts. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; that of a record without its id. */
  path: string;
  id?: number;
  /** The path behind the id. */
  part?: 'status' | 'appointment' | 'roll-secret' | 'test' | 'resend';
  /** The answer's data is a list. */
  isList?: boolean;
  query?: Query;
  body?: object;
  idempotencyKey?: string | undefined;
  ifMatch?: string | undefined;
  options?: RequestOptions;
}

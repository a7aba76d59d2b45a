import {
  ERROR_STATUS,
  type ErrorCode,
  errorsOfFaults,
  type FieldErrors,
  type FieldFaults,
} from '@frontdesk/contracts';

interface AppErrorDetails {
  faults?: FieldFaults | undefined;
  /** Extra public content, for example the alternatives of `slot_unavailable`. */
  data?: unknown;
  /** Works out `data`, after the transaction that this error rolls back has released its connection and locks. */
  complete?: () => Promise<unknown>;
  headers?: Record<string, string>;
  /**
   * The reason of the refusal ends by itself, for example a quota of a day. The refusal is not stored under the Idempotency-Key, so a
   * repetition is tried again.
   */
  isPassing?: boolean;
  /** For the log only; never leaves the process. */
  cause?: unknown;
}

/** A failure that the client sees. `message` is public text; the internal reason goes into `cause`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The sentences of `faults`, as the envelope has them. */
  readonly errors: FieldErrors | undefined;
  /** What is wrong with each field; where pages have words of their own, with its reason. */
  readonly faults: FieldFaults | undefined;
  readonly data: unknown;
  readonly complete: (() => Promise<unknown>) | undefined;
  readonly headers: Record<string, string>;
  readonly isPassing: boolean;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.faults && errorsOfFaults(details.faults);
    this.faults = details.faults;
    this.data = details.data;
    this.complete = details.complete;
    this.headers = details.headers ?? {};
    this.isPassing = details.isPassing ?? false;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Statuses of a service that is away or too slow: to be asked again later. */
const AWAY: readonly number[] = [ERROR_STATUS.service_unavailable, ERROR_STATUS.upstream_timeout];

/** Whether a service could not be asked, or did not answer in time. Every other error is its answer. */
export const isAway = (error: AppError): boolean => AWAY.includes(error.status);

/** The error, with its `data` worked out where it is an `AppError` with `complete`. @throws whatever `complete` throws */
export async function completed(error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.complete === undefined) return error;
  const { code, message, faults, headers, isPassing, cause } = error;
  return new AppError(code, message, {
    faults,
    headers,
    isPassing,
    cause,
    data: await error.complete(),
  });
}

/**
 * 404 for a record that is unknown, of another tenant, or inactive: `kind` is its public name.
 * @param data where the record has become part of another one, which
 */
export function notFound(kind: string, data?: { merged_into: number }): AppError {
  return new AppError('not_found', `${kind} not found.`, { data });
}

/** 422 with one or more messages for each failing field. */
export function invalid(faults: FieldFaults): AppError {
  return new AppError('validation_failed', 'The given data was invalid.', { faults });
}

/** 422 for a cursor that this list or feed did not make, or made for another request. */
export function invalidCursor(field: string, message: string): AppError {
  return new AppError('invalid_cursor', 'The cursor can’t be used here.', { faults: { [field]: [message] } });
}

/** 412: the record has moved on since the client saw it. */
export function overtaken(headers: Record<string, string> = {}): AppError {
  return new AppError('precondition_failed', 'The record has changed since it was read.', { headers });
}

/** The record of an event or a snapshot has the right form but an impossible content. The reason does not quote the record. */
export class ImpossibleRecordError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ImpossibleRecordError';
  }
}

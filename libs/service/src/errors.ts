import { ERROR_STATUS, type ErrorCode, type FieldErrors } from '@frontdesk/contracts';

interface AppErrorDetails {
  errors?: FieldErrors | undefined;
  /** Extra public content, for example the alternatives of `slot_unavailable`. */
  data?: unknown;
  /** Works out `data`, after the transaction that this error rolls back has released its connection and locks. */
  complete?: () => Promise<unknown>;
  headers?: Record<string, string>;
  /** For the log only; never leaves the process. */
  cause?: unknown;
}

/** A failure that the client sees. `message` is public text; the internal reason goes into `cause`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldErrors | undefined;
  readonly data: unknown;
  readonly complete: (() => Promise<unknown>) | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors;
    this.data = details.data;
    this.complete = details.complete;
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The error, with its `data` worked out where it is an `AppError` with `complete`. @throws whatever `complete` throws */
export async function completed(error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.complete === undefined) return error;
  const { code, message, errors, headers, cause } = error;
  return new AppError(code, message, {
    errors,
    headers,
    cause,
    data: await error.complete(),
  });
}

/** 404 for a record that is unknown, of another tenant, or inactive: `kind` is its public name. */
export function notFound(kind: string): AppError {
  return new AppError('not_found', `${kind} not found.`);
}

/** 422 with one or more messages for each failing field. */
export function invalid(errors: FieldErrors): AppError {
  return new AppError('validation_failed', 'The given data was invalid.', { errors });
}

/** 422 for what is no cursor that this list, or feed, has made for this request. */
export function invalidCursor(field: string, message: string): AppError {
  return new AppError('invalid_cursor', 'The cursor can’t be used here.', { errors: { [field]: [message] } });
}

/** 412: the record has moved on since the client saw it. */
export function overtaken(headers: Record<string, string> = {}): AppError {
  return new AppError('precondition_failed', 'The record has changed since it was read.', { headers });
}

/**
 * A record, of an event or a snapshot, that can be read but says what can't be. The reason says nothing else about what it
 * holds.
 */
export class ImpossibleRecordError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ImpossibleRecordError';
  }
}

/** What every method takes. */
export interface RequestOptions {
  /** Ends the call, waits between attempts included, with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** Of one attempt, instead of the client's. */
  timeoutMs?: number | undefined;
  /** Instead of the client's. */
  maxRetries?: number | undefined;
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
  /** What follows the id. */
  part?: 'status';
  /** The answer's data is a list. */
  isList?: boolean;
  query?: Query;
  body?: object;
  idempotencyKey?: string | undefined;
  ifMatch?: string | undefined;
  options?: RequestOptions;
}

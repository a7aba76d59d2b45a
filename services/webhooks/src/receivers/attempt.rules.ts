import type { DeliveryAttempt } from '@frontdesk/contracts';

/** Why an attempt failed, for operators and metrics; receivers' own words are in the response body. */
export type ErrorClass =
  | 'timeout'
  | 'address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'redirect'
  | 'http_status'
  | 'other';

/** What it keeps of the headers of one side, names and values together. */
export const HEADERS_CHARACTERS = 8 * 1024;

/** What came of one POST. `httpStatus` is null unless the whole answer arrived in time. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  errorClass: ErrorClass | null;
  /** The first `KEPT_ANSWER_BYTES` of the answer's body. */
  responseBody: string | null;
  requestHeaders: Record<string, string>;
  /** Null unless they arrived. */
  responseHeaders: Record<string, string> | null;
}

/** The log keeps all attempts of a delivery in its row, answers included. One that has had so many is not sent again. */
export const MAX_KEPT_ATTEMPTS = 100;

/** As the log keeps it and shows it. */
export const attemptRecord = (attempt: number, outcome: AttemptOutcome): DeliveryAttempt => ({
  attempt,
  started_at: outcome.startedAt.toISOString(),
  duration_ms: outcome.durationMs,
  http_status: outcome.httpStatus,
  error_class: outcome.errorClass,
  response_body: outcome.responseBody,
  request_headers: outcome.requestHeaders,
  response_headers: outcome.responseHeaders,
});

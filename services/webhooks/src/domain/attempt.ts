import { z } from 'zod';

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

/** What came of one POST. `httpStatus` is null unless the whole answer arrived in time. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  errorClass: ErrorClass | null;
  /** The first 16 KiB of the answer's body. */
  responseBody: string | null;
  requestHeaders: Record<string, string>;
  /** Null unless they arrived. */
  responseHeaders: Record<string, string> | null;
}

const headers = z.record(z.string(), z.string());

/** The log keeps all attempts of a delivery in its row, answers included. One that has had so many is not sent again. */
export const MAX_KEPT_ATTEMPTS = 100;

/** An attempt as the delivery log shows it. */
export const attemptSchema = z.object({
  attempt: z.int(),
  started_at: z.string(),
  duration_ms: z.int(),
  http_status: z.int().nullable(),
  error_class: z.string().nullable(),
  response_body: z.string().nullable(),
  request_headers: headers,
  response_headers: headers.nullable(),
});

export type AttemptRecord = z.output<typeof attemptSchema>;

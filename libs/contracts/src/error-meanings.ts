import type { ErrorCode } from './error-codes.ts';

/** The meaning of the codes that API v1 answers with, for integrators. */
export const ERROR_MEANINGS = {
  bad_request: 'The request can’t be read.',
  invalid_json: 'The body is not valid JSON.',
  unauthorized: 'The key is missing, wrong, revoked or deleted.',
  tenant_suspended: 'The business is suspended.',
  not_found: 'There is no such record or path. The message names the kind.',
  method_not_allowed: 'The path does not support this method; Allow lists those it does.',
  request_timeout: 'The request arrived too slowly.',
  slot_unavailable: 'The time is taken. data.alternatives holds up to five free ones.',
  request_in_progress: 'A request with the same Idempotency-Key is still being processed.',
  cursor_expired:
    'The events after this cursor are no longer kept. data.oldest_cursor is where the feed begins.',
  precondition_failed: 'The record has changed since the version in If-Match.',
  payload_too_large: 'The body is longer than 1 MiB.',
  unsupported_media_type: 'The body must be application/json.',
  expectation_failed: 'The Expect header asks for something other than 100-continue.',
  validation_failed:
    'errors maps each failing field to what is wrong with it. If that is only a time that is not offered, data.alternatives holds up to five free ones.',
  quota_exceeded:
    'The plan allows no more of these records. The message says how many it allows and how many there are.',
  too_much_asked: 'The request asks for too much at once. The message names the limit.',
  rate_limited: 'The plan’s requests for this minute or day are used up; see Retry-After.',
  headers_too_large: 'The request’s headers are too long.',
  internal_error: 'Something went wrong on our side.',
  service_unavailable: 'Part of the system is unavailable; try again after Retry-After.',
  upstream_timeout: 'Part of the system took too long.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export type PublicErrorCode = keyof typeof ERROR_MEANINGS;

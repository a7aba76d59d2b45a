import { MAX_ALTERNATIVES, MAX_BODY_BYTES } from '../limits/api-limits.ts';
import { CONFIRMED_MINUTES, FORM_LIVES_HOURS } from '../limits/page-limits.ts';

/** Every `code` that an answer of Frontdesk can carry, with the HTTP status it travels under. Closed: add here first. */
export const ERROR_STATUS = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  business_required: 401,
  forbidden: 403,
  csrf_failed: 403,
  confirmation_required: 403,
  tenant_suspended: 403,
  insufficient_scope: 403,
  network_not_allowed: 403,
  holds_off: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  slot_unavailable: 409,
  hold_expired: 409,
  hold_booked: 409,
  request_in_progress: 409,
  cursor_expired: 410,
  form_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  validation_failed: 422,
  invalid_cursor: 422,
  quota_exceeded: 422,
  too_much_asked: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The meaning of the codes that API v1 answers with, for integrators. */
export const ERROR_MEANINGS = {
  bad_request: 'The request can’t be read.',
  invalid_json: 'The body is not valid JSON, or not UTF-8.',
  unauthorized: 'The key is missing, wrong, revoked, expired or deleted.',
  tenant_suspended: 'The business is suspended.',
  network_not_allowed: 'The key may not be used from this address.',
  insufficient_scope: 'The key does not have the scope that the operation needs. data.scope names it.',
  holds_off: 'Holds are turned off on this system. Book without one.',
  not_found: 'There is no such record or path. The message names the kind.',
  method_not_allowed: 'The path does not support this method; Allow lists those it does.',
  request_timeout: 'The request arrived too slowly.',
  slot_unavailable: `The time is taken. data.alternatives holds up to ${MAX_ALTERNATIVES} free ones.`,
  hold_expired: `The hold has expired or was given back, or its service or staff member can no longer be booked. data.alternatives holds up to ${MAX_ALTERNATIVES} free ones.`,
  hold_booked:
    'The hold is booked already: for another customer, or it can’t be given back because it is an appointment now.',
  request_in_progress: 'A request with the same Idempotency-Key is still being processed.',
  cursor_expired:
    'The events after this cursor are no longer kept. data.oldest_cursor is where the feed begins.',
  precondition_failed: 'The record has changed since the version in If-Match.',
  payload_too_large: `The body is longer than ${MAX_BODY_BYTES / 2 ** 20} MiB.`,
  unsupported_media_type: 'The body must be application/json in UTF-8, without a Content-Encoding.',
  expectation_failed: 'The Expect header asks for something other than 100-continue.',
  validation_failed: `errors maps each failing field to what is wrong with it. If that is only a time that is not offered, data.alternatives holds up to ${MAX_ALTERNATIVES} free ones.`,
  invalid_cursor:
    'The cursor was made for another list, filter, sort or business, or is damaged. errors names its parameter.',
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

/** The meaning of the codes that never leave the settings or the internal ports. With those above these are all. */
export const INNER_ERROR_MEANINGS = {
  business_required:
    'In the settings: the password is right, and the account belongs to several businesses or to none. data.businesses lists them; POST /settings/sign-in/business chooses one.',
  confirmation_required: `In the settings: the password was last shown more than ${CONFIRMED_MINUTES} minutes ago. POST /settings/confirm shows it again.`,
  csrf_failed:
    'In the settings: a change came without the token of its form, or with an old one. JSON clients send X-CSRF-Token.',
  form_expired: `In the settings: the page of the form was drawn more than ${FORM_LIVES_HOURS} hours ago. The answer has a new form_token.`,
  forbidden:
    'In the settings: the member’s role doesn’t allow it. At the internal ports, which only operators reach: the identity may not do this.',
} as const satisfies Record<Exclude<ErrorCode, PublicErrorCode>, string>;

/** Statuses after which the same request may get another answer, and the one such code under another status. 502 comes from proxies. */
export const REPEATED_STATUSES = [408, 429, 500, 502, 503, 504] as const;
export const REPEATED_CODE = 'request_in_progress' satisfies ErrorCode;

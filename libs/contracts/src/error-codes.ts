/** Every `code` that an answer of Frontdesk can carry, with the HTTP status it travels under. Closed: add here first. */
export const ERROR_STATUS = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden: 403,
  csrf_failed: 403,
  tenant_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  slot_unavailable: 409,
  request_in_progress: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  validation_failed: 422,
  quota_exceeded: 422,
  too_much_asked: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

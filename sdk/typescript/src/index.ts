export { type ApiAnswer, ApiPromise, type RateLimit } from './api-promise.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  CursorExpiredError,
  type FailureCode,
  FrontdeskError,
  HoldBookedError,
  HoldExpiredError,
  InvalidCursorError,
  LimitError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  RequestInProgressError,
  ServerError,
  SlotUnavailableError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.ts';
export { Frontdesk } from './frontdesk.ts';
export { Page, PagePromise } from './page.ts';
export type { FeedPage } from './resources/events.ts';
export type { FollowFault, FollowOptions } from './resources/following.ts';
export type { ChangeOptions, CreateOptions, RequestOptions, RetryNotice } from './transport/call.ts';
export type { FrontdeskOptions } from './transport/settings.ts';
export type * from './types.ts';
export { VERSION } from './version.ts';
export type { EndpointTestEvent, WebhookEvent, WebhookEventName, WebhookEventOf } from './webhooks/events.ts';
export type { WebhookHeaders } from './webhooks/headers.ts';
export {
  verifyWebhook,
  type WebhookFault,
  type WebhookRequest,
  WebhookVerificationError,
} from './webhooks/verify.ts';

export type { Backend, ResolveName } from './backends/addresses.ts';
export {
  type BackendDispatchOptions,
  type BackendFailure,
  type Holder,
  NoBackendError,
} from './backends/backend-request.ts';
export {
  BACKEND_SILENCE_MS,
  BACKEND_WAIT_MS,
  BackendDispatcher,
  MAX_UNANSWERED,
} from './backends/dispatcher.ts';
export * from './config/config.ts';
export * from './config/engine-passwords.ts';
export * from './config/secret-box.ts';
export * from './config/secret-keys.ts';
export * from './config/secret-sealer.ts';
export * from './errors/app-error.ts';
export * from './errors/engine-access-error.ts';
export { answerError, answerErrorWithReasons, errorBody, toAppError } from './errors/error-answers.ts';
export * from './health/health.ts';
export * from './http/app.ts';
export { changesOf } from './http/changes-of.ts';
export * from './http/client-address.ts';
export { clientGone } from './http/client-gone.ts';
export { formRefusal } from './http/encoding.ts';
export * from './http/entity-tags.ts';
export * from './http/http-client.ts';
export * from './http/http-component.ts';
export * from './http/quota-routes.ts';
export * from './http/replies.ts';
export * from './http/request-id.ts';
export * from './http/require-quota.ts';
export { route } from './http/route.ts';
export { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, type SendingLimits } from './http/server-limits.ts';
export { parsePart } from './http/zod-provider.ts';
export * from './identity/identity.ts';
export * from './identity/refuse-suspended.ts';
export * from './identity/require-identity.ts';
export { type Reading, readTogether } from './metrics/gauges.ts';
export * from './metrics/metrics.ts';
export * from './run/component.ts';
export * from './run/consumer-progress.ts';
export * from './run/dead-letters.ts';
export * from './run/event-publisher.ts';
export { createLogger, type Logger } from './run/logging.ts';
export * from './run/loop.ts';
export * from './run/run.ts';
export * from './run/tenant-queue.ts';
export * from './run/time-slices.ts';
export {
  type Attributes,
  currentTraceparent,
  endedAfter,
  isTracing,
  noteFailure,
  type Span,
  startSpan,
  traced,
  traceparentOfSpan,
} from './tracing/spans.ts';
export { traceparentOf } from './tracing/trace.ts';

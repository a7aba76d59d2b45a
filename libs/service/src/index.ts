export * from './app.ts';
export { changesOf } from './changes-of.ts';
export * from './client-address.ts';
export { clientGone } from './client-gone.ts';
export * from './component.ts';
export * from './config.ts';
export * from './consumer-progress.ts';
export * from './dead-letters.ts';
export { formRefusal } from './encoding.ts';
export * from './engine-passwords.ts';
export * from './engine-refusal.ts';
export * from './entity-tags.ts';
export * from './errors.ts';
export * from './event-publisher.ts';
export { answerFailure, failureBody, toAppError } from './failures.ts';
export { type Reading, readTogether } from './gauges.ts';
export * from './health.ts';
export * from './http-client.ts';
export * from './http-component.ts';
export * from './identity.ts';
export { createLogger, type Logger } from './logging.ts';
export * from './loop.ts';
export * from './metrics.ts';
export * from './quota-routes.ts';
export * from './quotas.ts';
export * from './refuse-suspended.ts';
export * from './replies.ts';
export * from './request-id.ts';
export * from './require-identity.ts';
export * from './run.ts';
export * from './secret-box.ts';
export * from './secret-keys.ts';
export { MAX_BODY_BYTES, MAX_CLIENT_HEADER_BYTES, type SendingLimits } from './server-limits.ts';
export * from './tenant-turns.ts';
export * from './time-slices.ts';
export { traceparentOf } from './trace.ts';
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
export { parsePart } from './zod-provider.ts';

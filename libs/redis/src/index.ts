export { createRedis } from './connection.ts';
export { createSharedLimiter, type Grant, type RateWindow, type TakeShared } from './shared-limiter.ts';

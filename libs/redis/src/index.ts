export { createRedis } from './connection.ts';
export { type Grant, type RateWindow, rateCounter } from './rate-windows.ts';
export { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts';

export { createRedis, redisSettings } from './connection.ts';
export { type Grant, type RateWindow, rateCounter } from './rate-windows.ts';
export { setUsers } from './set-users.ts';
export { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts';

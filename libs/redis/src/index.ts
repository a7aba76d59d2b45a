export { createRedis, createRedisCluster, nodesOf, redisSettings } from './connection.ts';
export { countingWhileFull, createLocalLimiter, isFull } from './local-limiter.ts';
export { watchRedisMemory } from './memory.ts';
export { counterOf, type Grant, type RateWindow, windowEndMs } from './rate-windows.ts';
export { setUsers } from './set-users.ts';
export { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts';

export { createRedis } from './connection.ts';
export {
  createSharedLimiter,
  type Grant,
  type RateWindow,
  rateCounter,
  type TakeShared,
} from './shared-limiter.ts';

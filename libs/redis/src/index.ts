export { createRedis } from './connection.ts';
export {
  AHEAD_MS,
  AHEAD_TOLD_MS,
  type AheadAsked,
  createSharedLimiter,
  type EndedAhead,
  type Grant,
  type RateWindow,
  rateCounter,
  type SharedGrant,
  type TakeShared,
} from './shared-limiter.ts';

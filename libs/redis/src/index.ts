export { createRedis } from './connection.ts';
export {
  AHEAD_MS,
  AHEAD_RETURN_MS,
  AHEAD_TOLD_MS,
  type AheadAsked,
  type EndedAhead,
  type Grant,
  type RateWindow,
  type SharedGrant,
} from './grants.ts';
export { createSharedLimiter, giveBack, type TakeShared } from './shared-limiter.ts';
export { rateCounter } from './take-script.ts';

import { PLAN_LIMITS, type Plan, type Usage } from '@frontdesk/contracts';
import type { Grant, RateWindow } from '@frontdesk/redis';

/** `shared` counts over all gateways, in Redis; `local` stands in for it in one process while Redis is away. */
type Scope = 'shared' | 'local';

export interface Outcome {
  grant: Grant;
  scope: Scope;
  /** What the grant was counted against: the whole limits, or this gateway's share of them. */
  windows: readonly RateWindow[];
  /** What was not granted may be there soon. */
  isHeldElsewhere?: boolean;
}

export interface WindowState extends RateWindow {
  remaining: number;
  /** Whole seconds until the window ends, and the epoch second at which it does. */
  secondsLeft: number;
  resetAt: number;
}

export interface Decision {
  allowed: boolean;
  scope: Scope;
  windows: WindowState[];
}

const MINUTE = 60;
const DAY = 86_400;

type PlanWindows = [minute: RateWindow, day: RateWindow];

const windowsOfPlan = (plan: Plan): PlanWindows => [
  { name: 'minute', seconds: MINUTE, limit: PLAN_LIMITS[plan].perMinute },
  { name: 'day', seconds: DAY, limit: PLAN_LIMITS[plan].perDay },
];

/** The two windows of each plan: a fixed minute and a fixed UTC day. */
export const PLAN_WINDOWS: Record<Plan, PlanWindows> = {
  starter: windowsOfPlan('starter'),
  pro: windowsOfPlan('pro'),
  enterprise: windowsOfPlan('enterprise'),
};

/** What the keys of a tenant are counted under, together. */
export const subjectOf = (tenantId: number) => `tenant:${tenantId}`;

export const perMinute = (limit: number): RateWindow[] => [{ name: 'minute', seconds: MINUTE, limit }];

/** Failed attempts of one kind that a client address has. */
export const FAILED_ATTEMPT_WINDOWS = perMinute(60);

/** One gateway's share of the windows, at least 1. */
export function shareOf(windows: readonly RateWindow[], replicas: number): RateWindow[] {
  return windows.map((window) => ({ ...window, limit: Math.max(1, Math.floor(window.limit / replicas)) }));
}

/** Epoch milliseconds of the window's end that `nowMs` lies before. */
export function windowEndMs(window: RateWindow, nowMs: number): number {
  const spanMs = window.seconds * 1_000;
  return (Math.floor(nowMs / spanMs) + 1) * spanMs;
}

/**
 * The decision for the `position`-th (from 0) of the requests that share a grant, so many milliseconds after it, in the
 * same windows.
 */
export function decisionFor(position: number, { grant, scope, windows }: Outcome, elapsedMs = 0): Decision {
  const taken = Math.min(position + 1, grant.granted);
  const nowSeconds = Math.floor((grant.nowMs + elapsedMs) / 1_000);
  return {
    allowed: position < grant.granted,
    scope,
    windows: windows.map((window, index) => {
      const resetAt = windowEndMs(window, grant.nowMs) / 1_000;
      const { name, seconds, limit } = window;
      return {
        name,
        seconds,
        limit,
        remaining: Math.max(0, limit - (grant.used[index] ?? 0) - taken),
        resetAt,
        secondsLeft: resetAt - nowSeconds,
      };
    }),
  };
}

/** What a tenant has used of its plan, by a grant of nothing. */
export function usageOf(plan: Plan, grant: Grant): Usage {
  const { windows } = decisionFor(-1, { grant, scope: 'shared', windows: PLAN_WINDOWS[plan] });
  const [minute, day] = windows.map(({ limit, remaining, resetAt }) => ({
    limit,
    used: limit - remaining,
    resets_at: new Date(resetAt * 1_000).toISOString(),
  })) as [Usage['minute'], Usage['day']];
  return { plan, minute, day };
}

/** The window that will stop the caller first; of two that are equally far used, the one that lasts longer. */
export function tighterWindow(decision: Decision): WindowState {
  return decision.windows.reduce((tightest, window) =>
    window.remaining < tightest.remaining ||
    (window.remaining === tightest.remaining && window.resetAt > tightest.resetAt)
      ? window
      : tightest,
  );
}

/** `X-RateLimit-*` of the tighter window; `RateLimit` and `RateLimit-Policy` (IETF draft, structured fields) of both. */
export function rateLimitHeaders(decision: Decision): Record<string, string> {
  const tighter = tighterWindow(decision);
  const headers: Record<string, string> = {
    'x-ratelimit-limit': String(tighter.limit),
    'x-ratelimit-remaining': String(tighter.remaining),
    'x-ratelimit-reset': String(tighter.resetAt),
    ratelimit: decision.windows.map((w) => `"${w.name}";r=${w.remaining};t=${w.secondsLeft}`).join(', '),
    'ratelimit-policy': decision.windows.map((w) => `"${w.name}";q=${w.limit};w=${w.seconds}`).join(', '),
  };
  if (decision.scope === 'local') headers['x-ratelimit-scope'] = 'local';
  return headers;
}

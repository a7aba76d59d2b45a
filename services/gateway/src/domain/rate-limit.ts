import { PLAN_LIMITS, type Plan, type Usage } from '@frontdesk/contracts';
import type { Grant, RateWindow } from '@frontdesk/redis';

/** `shared` counts over all gateways, in Redis; `local` stands in for it in one process while Redis is away. */
export const SCOPES = ['shared', 'local'] as const;
type Scope = (typeof SCOPES)[number];

interface WindowState extends RateWindow {
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

/** One gateway's share of the windows, at least 1. */
export function shareOf(windows: readonly RateWindow[], gateways: number): RateWindow[] {
  return windows.map((window) => ({ ...window, limit: Math.max(1, Math.floor(window.limit / gateways)) }));
}

/** Epoch milliseconds of the window's end that `nowMs` lies before. */
export function windowEndMs(window: RateWindow, nowMs: number): number {
  const spanMs = window.seconds * 1_000;
  return (Math.floor(nowMs / spanMs) + 1) * spanMs;
}

/** Whether the limiter granted the request, and the state of its windows afterwards. */
export function decisionFor(windows: readonly RateWindow[], grant: Grant, scope: Scope): Decision {
  const { granted, used, nowMs } = grant;
  return {
    allowed: granted > 0,
    scope,
    windows: windows.map((window, index) => {
      const resetAt = windowEndMs(window, nowMs) / 1_000;
      const remaining = Math.max(0, window.limit - (used[index] ?? 0) - granted);
      return { ...window, remaining, resetAt, secondsLeft: resetAt - Math.floor(nowMs / 1_000) };
    }),
  };
}

/** What a tenant has used of its plan, by a grant of nothing. */
export function usageOf(plan: Plan, grant: Grant): Usage {
  const { windows } = decisionFor(PLAN_WINDOWS[plan], grant, 'shared');
  const [minute, day] = windows.map(({ limit, remaining, resetAt }) => ({
    limit,
    used: limit - remaining,
    resets_at: new Date(resetAt * 1_000).toISOString(),
  })) as [Usage['minute'], Usage['day']];
  return { plan, minute, day };
}

/** The window that will stop the client first; of two that are equally far used, the one that lasts longer. */
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

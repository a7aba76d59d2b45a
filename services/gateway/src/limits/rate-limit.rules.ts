import { PLAN_LIMITS, type Plan, type Usage } from '@frontdesk/contracts';
import { type Grant, type RateWindow, windowEndMs } from '@frontdesk/redis';

/** `shared` counts over all gateways, in Redis; `local` stands in for it in one process while Redis is away. */
export const SCOPES = ['shared', 'local'] as const;
type Scope = (typeof SCOPES)[number];

export const MINUTE = 60;
export const DAY = 86_400;

/** The state of a window after a request. */
export interface WindowState extends RateWindow {
  name: string;
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

/** The subject under which all keys of a tenant are counted. */
export const subjectOf = (tenantId: number) => `tenant:${tenantId}`;

/** One gateway's share of a limit, at least 1. */
export const shareOf = (limit: number, gateways: number): number => Math.max(1, Math.floor(limit / gateways));

/** The epoch second at which a window ends, about `ttlMs` from now: our clock may differ from Redis's by up to half a window. */
export const endOf = (seconds: number, ttlMs: number, nowMs: number): number =>
  Math.round((nowMs + ttlMs) / (seconds * 1_000)) * seconds;

/** The window that will stop the client first; of two that are equally far used, the one that lasts longer. */
export function tighterWindow({ windows }: Pick<Decision, 'windows'>): WindowState {
  return windows.reduce((tightest, window) =>
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

/** The two windows of each plan: a fixed minute and a fixed UTC day. */
export const windowsOf = (plan: Plan): [minute: RateWindow, day: RateWindow] => [
  { seconds: MINUTE, limit: PLAN_LIMITS[plan].perMinute },
  { seconds: DAY, limit: PLAN_LIMITS[plan].perDay },
];

/** What a tenant has used of its plan, by the counts of both windows. */
export function usageOf(plan: Plan, counted: [minute: Grant, day: Grant]): Usage {
  const used = (which: 0 | 1) => {
    const window = windowsOf(plan)[which];
    const { used, nowMs } = counted[which];
    return {
      limit: window.limit,
      used: Math.min(used, window.limit),
      resets_at: new Date(windowEndMs(window, nowMs)).toISOString(),
    };
  };
  return { plan, minute: used(0), day: used(1) };
}

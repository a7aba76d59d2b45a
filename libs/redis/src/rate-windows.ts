/** A fixed window: `limit` in each `seconds`, counted from the epoch on. */
export interface RateWindow {
  seconds: number;
  limit: number;
}

/** A limiter's answer to a number of requests: it grants all of them, or none. */
export interface Grant {
  isGranted: boolean;
  /** Used before these, in the current window. */
  used: number;
  /** The limiter's own clock, which decides in which window a request falls. */
  nowMs: number;
  /** Whether it was counted in this process alone. */
  isLocal?: boolean;
}

/** The key under which Redis counts a subject's requests in windows of this length. A cluster places it by the part in braces. */
export const counterOf = (subject: string, { seconds }: Pick<RateWindow, 'seconds'>): string =>
  `rate:{${subject}}:${seconds}s`;

/** Epoch milliseconds at which the window of `nowMs` ends. */
export function windowEndMs({ seconds }: Pick<RateWindow, 'seconds'>, nowMs: number): number {
  const spanMs = seconds * 1_000;
  return (Math.floor(nowMs / spanMs) + 1) * spanMs;
}

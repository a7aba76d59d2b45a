/** A fixed window: `limit` in each `seconds`, counted from the epoch on. */
export interface RateWindow {
  name: string;
  seconds: number;
  limit: number;
}

/** The answer of a limiter that was asked for a number of requests: all of them, or none. */
export interface Grant {
  granted: number;
  /** Used before this grant, one for each window. */
  used: number[];
  /** The limiter's own clock, which the windows are cut by. */
  nowMs: number;
}

const windowName = (subject: string, { name }: RateWindow) => `rate:{${subject}}:${name}`;

/** The first part of a counter's name; the script appends the window's number. */
export const counterNames = (subject: string, windows: readonly RateWindow[]): string[] =>
  windows.map((window) => windowName(subject, window));

/** Where Redis counts what the subject takes of this window at this time. */
export const rateCounter = (subject: string, window: RateWindow, nowMs: number): string =>
  `${windowName(subject, window)}:${Math.floor(nowMs / (window.seconds * 1_000))}`;

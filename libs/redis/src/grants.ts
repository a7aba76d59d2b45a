/** A fixed window: `limit` in each `seconds`, counted from the epoch on. */
export interface RateWindow {
  name: string;
  seconds: number;
  limit: number;
}

/** What a limiter granted of a count that it was asked for: all windows had room for it, or it was cut. */
export interface Grant {
  granted: number;
  /** Used before this grant, one for each window. */
  used: number[];
  /** The limiter's own clock, which the windows are cut by. */
  nowMs: number;
}

export interface SharedGrant extends Grant {
  /** Granted beyond that, ahead of requests to come, for `AHEAD_MS`. Whoever has it gives back what is not used. */
  ahead: number;
  /** Less was granted than asked for, and other processes hold room of the subject that they may give back. */
  isHeldElsewhere: boolean;
}

/** Room that was granted ahead and is held no longer. */
export interface EndedAhead {
  granted: number;
  unused: number;
  /** By the limiter's clock. */
  grantedAtMs: number;
}

/** Room ahead: how much of it to grant, where there is plenty, and what the process held of the subject before. */
export interface AheadAsked {
  wanted: number;
  ended: EndedAhead | null;
}

/** Longest that room granted ahead may be used. */
export const AHEAD_MS = 1_000;
/** Then its holder has this long to give back the rest. */
export const AHEAD_RETURN_MS = 500;
/** For how long others are told of it: until it has to be back. */
export const AHEAD_TOLD_MS = AHEAD_MS + AHEAD_RETURN_MS;

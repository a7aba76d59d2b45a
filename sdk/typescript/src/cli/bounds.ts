/** How long the command line waits for others. */
export interface Bounds {
  checkMs: number;
  deliveryMs: number;
}

export const BOUNDS: Bounds = {
  /** A listener answers a check within milliseconds, also while its receiver hangs; on a machine that is busy, within seconds. */
  checkMs: 5_000,
  /** The time of a delivery, for DNS, connecting, headers and body together. */
  deliveryMs: 10_000,
};

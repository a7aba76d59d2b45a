/** Nothing may fail because a machine is slow. */
export const LONG_BOUNDS = { checkMs: 120_000, deliveryMs: 120_000 };

/** Milliseconds since 1970 with fractions: one clock for all processes of the machine. */
export const wallMs = (): number => performance.timeOrigin + performance.now();

/** The breaker opens after so many failed calls in a row. */
const TOLERATED_FAILURES = 5;
/** How long the breaker then stays open. An address whose latest call failed comes after the others for as long. */
const OPEN_MS = 1_000;

/**
 * The circuit breaker of one address. While it is open, one call a second tests the address; the first that succeeds
 * closes the breaker.
 */
export interface Circuit {
  /** Milliseconds until the next call may go to the address; 0 for now. */
  openForMs(): number;
  /** Whether its latest call failed, less than a second ago. */
  isDoubtful(): boolean;
  /** A call begins. */
  begin(): void;
  succeed(): void;
  fail(): void;
}

export function createCircuit(options: { now?: () => number } = {}): Circuit {
  const now = options.now ?? Date.now;
  let failures = 0;
  let failedMs = Number.NEGATIVE_INFINITY;
  let openUntilMs = 0;
  return {
    openForMs: () => (failures < TOLERATED_FAILURES ? 0 : Math.max(0, openUntilMs - now())),
    isDoubtful: () => failures > 0 && now() - failedMs < OPEN_MS,
    begin() {
      if (failures >= TOLERATED_FAILURES) openUntilMs = now() + OPEN_MS;
    },
    succeed() {
      failures = 0;
    },
    fail() {
      failures += 1;
      failedMs = now();
      if (failures === TOLERATED_FAILURES) openUntilMs = failedMs + OPEN_MS;
    },
  };
}

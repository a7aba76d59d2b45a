/** So many calls in a row have to fail before an address is left alone. */
const TOLERATED_FAILURES = 5;
/** How long it then is, and how long one that has just failed comes after the others. */
const REST_MS = 1_000;

/**
 * What is known of one address by the calls to it. After five failures in a row it rests; then one call in each second
 * tries it, and the first that succeeds has it take part again.
 */
export interface Circuit {
  /** Milliseconds until a call may go there, 0 for now. */
  restMs(): number;
  /** Whether its latest call failed, less than a second ago. */
  isDoubtful(): boolean;
  /** A call goes there. */
  begin(): void;
  succeed(): void;
  fail(): void;
}

export function createCircuit(options: { now?: () => number } = {}): Circuit {
  const now = options.now ?? Date.now;
  let failures = 0;
  let failedMs = Number.NEGATIVE_INFINITY;
  let restsUntilMs = 0;
  return {
    restMs: () => (failures < TOLERATED_FAILURES ? 0 : Math.max(0, restsUntilMs - now())),
    isDoubtful: () => failures > 0 && now() - failedMs < REST_MS,
    begin() {
      if (failures >= TOLERATED_FAILURES) restsUntilMs = now() + REST_MS;
    },
    succeed() {
      failures = 0;
    },
    fail() {
      failures += 1;
      failedMs = now();
      if (failures === TOLERATED_FAILURES) restsUntilMs = failedMs + REST_MS;
    },
  };
}

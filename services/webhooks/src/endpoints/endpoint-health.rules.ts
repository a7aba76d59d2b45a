import type { EndpointAdmin } from '@frontdesk/contracts';

/** An endpoint is disabled after `DISABLED_AFTER_DAYS`, and after so many failures in a row: two of a quiet endpoint don't suffice. */
export const DISABLED_AFTER_FAILURES = 10;

/** What its health depends on. */
export interface KnownHealth {
  is_active: boolean;
  disabled_reason: string | null;
  is_suspended: boolean;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
}

/** Paused by those who run it, or disabled for what it answered. */
export function stateOf({
  is_active,
  disabled_reason,
}: Pick<KnownHealth, 'is_active' | 'disabled_reason'>): EndpointAdmin['state'] {
  if (is_active) return 'active';
  return disabled_reason === null ? 'paused' : 'disabled';
}

/**
 * The health of an endpoint in one word, which all pages show. What keeps it from getting anything comes first. A new address
 * and resuming clear `failing_since`, so a last failure alone may be out of date.
 */
export function healthStatus(known: KnownHealth): EndpointAdmin['health']['status'] {
  const state = stateOf(known);
  if (state !== 'active') return state;
  if (known.is_suspended) return 'suspended';
  if (known.failing_since !== null) return 'failing';
  const { last_success_at: success, last_failure_at: failure } = known;
  if (failure === null) return success === null ? 'new' : 'healthy';
  return success === null || success < failure ? 'untried' : 'healthy';
}

/** An endpoint that failed so often on end is left alone for a while: its deliveries wait, without spending an attempt. */
export const FAILURES_TO_OPEN = 20;
/** How long at first; each failed try after it doubles that. */
export const FIRST_OPEN_SECONDS = 2;
export const MAX_OPEN_SECONDS = 60;

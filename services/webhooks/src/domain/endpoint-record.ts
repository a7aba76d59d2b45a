import type { endpointAdminSchema, endpointSchema } from '@frontdesk/contracts';
import type { z } from 'zod';

export interface EndpointRow {
  id: number;
  url: string;
  events: string[];
  is_active: boolean;
  created_at: Date;
  version: number;
}

export interface EndpointAdminRow extends EndpointRow {
  disabled_reason: string | null;
  success_rate: number | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  failing_since: Date | null;
  consecutive_failures: number;
  dropped_deliveries: number;
  secret_last_four: string;
  previous_secret_until: Date | null;
  updated_at: Date;
}

type EndpointAdmin = z.output<typeof endpointAdminSchema>;

export const endpointRecord = (row: EndpointRow): z.output<typeof endpointSchema> => ({
  id: row.id,
  url: row.url,
  events: row.events,
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
});

export const endpointAdminRecord = (row: EndpointAdminRow): EndpointAdmin => ({
  ...endpointRecord(row),
  state: stateOf(row),
  disabled_reason: row.disabled_reason,
  health: {
    success_rate: row.success_rate,
    last_success_at: instant(row.last_success_at),
    last_failure_at: instant(row.last_failure_at),
    last_failure: row.last_failure,
    failing_since: instant(row.failing_since),
    consecutive_failures: row.consecutive_failures,
    dropped_deliveries: row.dropped_deliveries,
  },
  secret_last_four: row.secret_last_four,
  previous_secret_until: instant(row.previous_secret_until),
  updated_at: row.updated_at.toISOString(),
});

/** Paused by those who run it, or disabled for what it answered. */
export function stateOf(row: { is_active: boolean; disabled_reason: string | null }): EndpointAdmin['state'] {
  if (row.is_active) return 'active';
  return row.disabled_reason === null ? 'paused' : 'disabled';
}

const instant = (at: Date | null) => at?.toISOString() ?? null;

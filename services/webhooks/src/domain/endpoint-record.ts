import type { endpointAdminSchema, endpointSchema } from '@frontdesk/contracts';
import type { z } from 'zod';
import { healthStatus, stateOf } from './endpoint-health.ts';

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
  is_suspended: boolean;
  paused_at: Date | null;
  /** Of the last day, as far as they are counted. */
  delivered: number;
  failed: number;
  waiting: number;
  next_attempt_at: Date | null;
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
  paused_at: row.is_active ? null : instant(row.paused_at),
  disabled_reason: row.disabled_reason,
  health: {
    status: healthStatus(row),
    next_attempt_at: row.is_active && !row.is_suspended ? instant(row.next_attempt_at) : null,
    waiting: row.waiting,
    recent: { delivered: row.delivered, failed: row.failed },
    success_rate: row.delivered + row.failed === 0 ? null : row.delivered / (row.delivered + row.failed),
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

const instant = (at: Date | null) => at?.toISOString() ?? null;

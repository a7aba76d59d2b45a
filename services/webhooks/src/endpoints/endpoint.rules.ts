import type { EndpointAdmin, EndpointScope, endpointSchema, WebhookRecord } from '@frontdesk/contracts';
import type { z } from 'zod';
import { healthStatus, stateOf } from './endpoint-health.rules.ts';

export interface EndpointRow {
  tenant_id: number;
  id: number;
  url: string;
  events: string[];
  /** Of which records it is sent events, and whether with what was said in calls. */
  scopes: EndpointScope[];
  /** Of its own, sealed; null where it has none. */
  headers: string | null;
  header_names: string[];
  /** Sealed; empty once the endpoint is deleted. */
  secret: string;
  secret_last_four: string | null;
  /** Until it runs out, deliveries are signed with this one as well. */
  previous_secret: string | null;
  previous_secret_until: Date | null;
  is_active: boolean;
  is_suspended: boolean;
  disabled_reason: string | null;
  paused_at: Date | null;
  /** Null where it was never paused or disabled. */
  missed_from: Date | null;
  missed_to: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** What may be shown of it, without what takes its deliveries. */
export interface EndpointShownRow
  extends Pick<
    EndpointRow,
    | 'id'
    | 'url'
    | 'events'
    | 'scopes'
    | 'header_names'
    | 'is_active'
    | 'is_suspended'
    | 'disabled_reason'
    | 'paused_at'
    | 'previous_secret_until'
    | 'created_at'
    | 'updated_at'
    | 'version'
  > {
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  failing_since: Date | null;
  consecutive_failures: number;
  dropped_deliveries: number;
  secret_last_four: string;
}

/** With its health. */
export interface EndpointAdminRow extends EndpointShownRow {
  /** Of the last day, as far as they are counted. */
  delivered: number;
  failed: number;
  waiting: number;
  next_attempt_at: Date | null;
}

export const endpointRecord = (row: EndpointShownRow): z.output<typeof endpointSchema> => ({
  id: row.id,
  url: row.url,
  events: row.events,
  scopes: row.scopes,
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
});

export const endpointAdminRecord = (row: EndpointAdminRow): EndpointAdmin => ({
  ...endpointRecord(row),
  headers: row.header_names,
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

/** As API v1 shows it. */
export const webhookRecord = (row: EndpointShownRow): WebhookRecord => ({
  ...endpointRecord(row),
  headers: row.header_names,
  state: stateOf(row),
  disabled_reason: row.disabled_reason,
  last_success_at: instant(row.last_success_at),
  last_failure_at: instant(row.last_failure_at),
  last_failure: row.last_failure,
  failing_since: instant(row.failing_since),
  secret_last_four: row.secret_last_four,
  previous_secret_until: instant(row.previous_secret_until),
  updated_at: row.updated_at.toISOString(),
});

const instant = (at: Date | null) => at?.toISOString() ?? null;

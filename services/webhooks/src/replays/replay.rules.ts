import type { Replay } from '@frontdesk/contracts';

export interface ReplayRow {
  tenant_id: number;
  id: number;
  endpoint_id: number;
  kind: Replay['kind'];
  status: Replay['status'];
  window_from: Date | null;
  window_to: Date | null;
  include_delivered: boolean;
  /** The last id that the walk has passed, of an event or a delivery. */
  position: number;
  /** Where the walk ends. */
  last_id: number;
  total: number;
  queued: number;
  skipped: number;
  created_at: Date;
  finished_at: Date | null;
}

/** A replay as the internal API shows it. */
export const replayRecord = (row: ReplayRow): Replay => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  kind: row.kind,
  status: row.status,
  from: row.window_from?.toISOString() ?? null,
  to: row.window_to?.toISOString() ?? null,
  include_delivered: row.include_delivered,
  total: row.total,
  queued: row.queued,
  skipped: row.skipped,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

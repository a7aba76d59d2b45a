import type { PageQuery, replaySchema } from '@frontdesk/contracts';
import {
  type Database,
  defineList,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import type { z } from 'zod';
import { firstIdOfDay, lastIdOfDay } from '../domain/delivery-id.ts';
import { lastMissed } from '../domain/missed-events.ts';

interface ReplayRow {
  id: number;
  endpoint_id: number;
  kind: Replay['kind'];
  status: Replay['status'];
  window_from: Date | null;
  window_to: Date | null;
  include_delivered: boolean;
  total: number;
  queued: number;
  skipped: number;
  created_at: Date;
  finished_at: Date | null;
}

export type Replay = z.output<typeof replaySchema>;

const COLUMNS = `id, endpoint_id, kind, status, window_from, window_to, include_delivered, total, queued, skipped, created_at,
  finished_at`;

// The walk ends where the ids are now: what fails again while it goes on is not its business.
const beginFailed = tenantSql<ReplayRow, [endpointId: number]>(
  'replays_begin_failed',
  `with bounds as materialized (select day_id(nextval('delivery_ids')) as last_id)
   insert into replays (tenant_id, endpoint_id, kind, position, last_id, total)
   select $1, $2::bigint, 'failed', 0, last_id, (
     select count(*) from deliveries
     where tenant_id = $1 and endpoint_id = $2 and is_failed and id <= last_id
   )
   from bounds
   on conflict (tenant_id, endpoint_id) where status = 'running' do nothing
   returning ${COLUMNS}`,
);

const beginWindow = tenantSql<ReplayRow, ReplayWindow & { endpointId: number }>(
  'replays_begin_window',
  `with bounds as materialized (select least($lastId::bigint, day_id(nextval('event_ids'))) as last_id)
   insert into replays (tenant_id, endpoint_id, kind, window_from, window_to, include_delivered, position, last_id, total)
   select $1, $endpointId::bigint, 'window', $from::timestamptz, $to::timestamptz, $includeDelivered::boolean,
     $firstId::bigint - 1, last_id, (
     select count(*) from events
     where tenant_id = $1 and id >= $firstId and id <= last_id and name = any($names::text[])
       and received_at >= $from and received_at < $to
   )
   from bounds
   on conflict (tenant_id, endpoint_id) where status = 'running' do nothing
   returning ${COLUMNS}`,
);

// It ends where the log ends by then: intake that had begun before the endpoint was resumed may still be under way.
const beginMissed = tenantSql<
  ReplayRow,
  MissedWindow & { endpointId: number; firstId: number; lastId: number }
>(
  'replays_begin_missed',
  `insert into replays (tenant_id, endpoint_id, kind, window_from, window_to, position, last_id, total)
   values ($1, $endpointId, 'missed', $from, $to, $firstId::bigint - 1, $lastId, $total)
   on conflict (tenant_id, endpoint_id) where status = 'running' do nothing
   returning ${COLUMNS}`,
);

const find = tenantSql<ReplayRow, [id: number]>(
  'replays_find',
  `select ${COLUMNS} from replays where tenant_id = $1 and id = $2`,
);

const end = tenantSql<never, [id: number]>(
  'replays_cancel',
  `update replays set status = 'cancelled', finished_at = now() where tenant_id = $1 and id = $2 and status = 'running'`,
);

const forget = tenantSql<never, [endpointId: number, days: number]>(
  'replays_forget',
  `delete from replays
   where tenant_id = $1 and endpoint_id = $2 and finished_at < now() - $3::integer * interval '1 day'`,
);

const readPage = defineList<ReplayRow, 'endpoint', 'id'>({
  name: 'replays',
  from: 'replays',
  columns: COLUMNS,
  filters: { endpoint: 'endpoint_id = ?' },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

export interface MissedWindow {
  from: Date;
  to: Date;
  total: number;
}

export interface ReplayWindow {
  from: Date;
  to: Date;
  includeDelivered: boolean;
  /** Of events, their own. */
  names: string[];
  firstId: number;
  lastId: number;
}

/** Of what an endpoint missed in a pause. Null where it has a replay that is still running. */
export async function beginMissedReplay(
  tx: TenantTransaction,
  endpointId: number,
  { from, to, total }: MissedWindow,
): Promise<Replay | null> {
  const ids = { firstId: firstIdOfDay(from), lastId: lastIdOfDay(lastMissed(to)) };
  const row = await tx.maybeOne(beginMissed, { endpointId, from, to, total, ...ids });
  return row && replayRecord(row);
}

/** Null where the endpoint has one that is still running. */
export async function beginReplay(
  tx: TenantTransaction,
  endpointId: number,
  window: ReplayWindow | null,
): Promise<Replay | null> {
  const row = window
    ? await tx.maybeOne(beginWindow, {
        endpointId,
        from: window.from,
        to: window.to,
        includeDelivered: window.includeDelivered,
        names: window.names,
        firstId: window.firstId,
        lastId: window.lastId,
      })
    : await tx.maybeOne(beginFailed, endpointId);
  return row && replayRecord(row);
}

export async function findReplay(db: TenantReads, id: number): Promise<Replay | null> {
  const row = await db.maybeOne(find, id);
  return row && replayRecord(row);
}

/** Waits for the batch under way, and no other comes after it. One that has ended stays as it is. */
export const cancelReplay = (tx: TenantTransaction, id: number) => tx.run(end, id);

/** Removes those of an endpoint that ended so many days ago. */
export const forgetReplays = (tx: TenantTransaction, endpointId: number, days: number) =>
  tx.run(forget, endpointId, days);

/** Newest first. */
export async function pageOfReplays(
  database: Database,
  tenantId: number,
  query: PageQuery & { endpoint_id: number },
) {
  const { rows, total } = await readPage(database, tenantId, query, [['endpoint', query.endpoint_id]]);
  return { rows: rows.map(replayRecord), total };
}

const replayRecord = (row: ReplayRow): Replay => ({
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

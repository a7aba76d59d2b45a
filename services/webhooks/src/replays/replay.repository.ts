import type { PageQuery } from '@frontdesk/contracts';
import {
  type Database,
  defineList,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { replayEntity } from './replay.entity.ts';
import type { ReplayRow } from './replay.rules.ts';

/** Where a walk that begins now ends, and how many it passes. */
type WalkEnd = Pick<ReplayRow, 'last_id' | 'total'>;

// What fails again while the walk goes on is not its business.
const measureFailed = tenantSql<WalkEnd, { endpointId: number }>(
  'replays_measure_failed',
  `with bounds as materialized (select day_id(nextval('delivery_ids')) as last_id)
   select last_id, (
     select count(*) from deliveries
     where tenant_id = $tenantId and endpoint_id = $endpointId and is_failed and id <= last_id
   ) as total
   from bounds`,
);

const measureWindow = tenantSql<WalkEnd, ReplayWindow>(
  'replays_measure_window',
  `with bounds as materialized (select least($lastId::bigint, day_id(nextval('event_ids'))) as last_id)
   select last_id, (
     select count(*) from events
     where tenant_id = $tenantId and id >= $firstId and id <= last_id and name = any($names::text[])
       and received_at >= $from and received_at < $to
   ) as total
   from bounds`,
);

const forget = tenantSql<never, { endpointId: number; days: number }>(
  'replays_forget',
  `delete from replays
   where tenant_id = $tenantId and endpoint_id = $endpointId and finished_at < now() - $days::integer * interval '1 day'`,
);

const readPage = defineList<ReplayRow, 'endpoint', 'id'>({
  name: 'replays',
  from: 'replays',
  columns: `tenant_id, id, endpoint_id, kind, status, window_from, window_to, include_delivered, position, last_id, total, queued,
    skipped, created_at, finished_at`,
  filters: { endpoint: 'endpoint_id = $endpointId' },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

export interface ReplayWindow {
  from: Date;
  to: Date;
  /** Of events, their own. */
  names: string[];
  firstId: number;
  lastId: number;
}

export const measureFailedWalk = (tx: TenantTransaction, endpointId: number) =>
  tx.one(measureFailed, { endpointId });

export const measureWindowWalk = (tx: TenantTransaction, window: ReplayWindow) =>
  tx.one(measureWindow, window);

export type NewReplay = Pick<ReplayRow, 'endpoint_id' | 'kind' | 'window_from' | 'window_to'> &
  Pick<ReplayRow, 'include_delivered' | 'position' | 'last_id' | 'total'>;

/** @throws a violation of `ONE_RUNNING` where another replay of the endpoint is running */
export const insertReplay = (tx: TenantTransaction, replay: NewReplay): Promise<ReplayRow> =>
  tx.repository(replayEntity).insert(replay);

export const ONE_RUNNING = 'replays_one_running';

export const findReplay = (db: TenantReads, id: number) => db.repository(replayEntity).findOne({ id });

const cancel = tenantSql<never, { id: number }>(
  'replays_cancel',
  `update replays set status = 'cancelled', finished_at = clock_timestamp()
   where tenant_id = $tenantId and id = $id and status = 'running'`,
);

/** Waits for the batch under way, and no other comes after it. One that has ended stays as it is. */
export const cancelReplay = (tx: TenantTransaction, id: number) => tx.run(cancel, { id });

/** Removes those of an endpoint that ended so many days ago. */
export const purgeReplays = (tx: TenantTransaction, endpointId: number, days: number) =>
  tx.run(forget, { endpointId, days });

/** Newest first. */
export const listReplays = (
  database: Database,
  tenantId: number,
  query: PageQuery & { endpoint_id: number },
) => readPage(database, tenantId, query, [['endpoint', { endpointId: query.endpoint_id }]]);

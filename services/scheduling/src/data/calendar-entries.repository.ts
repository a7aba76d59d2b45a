import type { DatedHours, TimeOff } from '@frontdesk/contracts';
import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import { spanMinutes } from '../domain/weekly-hours.ts';

const putException = tenantSql<never, [resourceId: number, date: string, spans: string, note: string | null]>(
  'dated_hours_put',
  `insert into dated_hours (tenant_id, resource_id, date, spans, note) values ($1, $2, $3, $4, $5)
   on conflict (tenant_id, resource_id, date) do update set spans = excluded.spans, note = excluded.note
   where (dated_hours.spans, dated_hours.note) is distinct from (excluded.spans, excluded.note)`,
);

const removeException = tenantSql<never, [resourceId: number, date: string]>(
  'dated_hours_remove',
  'delete from dated_hours where tenant_id = $1 and resource_id = $2 and date = $3',
);

const insertTimeOffRow = tenantSql<
  { id: number },
  [resourceId: number, start: string, end: string, note: string | null]
>(
  'time_off_add',
  `insert into time_off (tenant_id, resource_id, starts_at, ends_at, note) values ($1, $2, $3, $4, $5)
   returning id`,
);

const removeTimeOff = tenantSql<never, [resourceId: number, id: number]>(
  'time_off_remove',
  'delete from time_off where tenant_id = $1 and resource_id = $2 and id = $3',
);

/** Whether that changed anything. */
export const saveException = async (
  tx: TenantTransaction,
  resourceId: number,
  { date, hours, note }: DatedHours,
): Promise<boolean> =>
  (await tx.run(putException, resourceId, date, JSON.stringify(spanMinutes(hours)), note)) > 0;

/** Whether there was one; so for `deleteTimeOff`. */
export const deleteException = async (
  tx: TenantTransaction,
  resourceId: number,
  date: string,
): Promise<boolean> => (await tx.run(removeException, resourceId, date)) > 0;

export const insertTimeOff = async (
  tx: TenantTransaction,
  resourceId: number,
  { start, end, note }: TimeOff,
): Promise<number> => (await tx.one(insertTimeOffRow, resourceId, start, end, note)).id;

export const deleteTimeOff = async (
  tx: TenantTransaction,
  resourceId: number,
  id: number,
): Promise<boolean> => (await tx.run(removeTimeOff, resourceId, id)) > 0;

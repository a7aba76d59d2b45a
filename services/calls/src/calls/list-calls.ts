import type { DateOrInstant, ListCallsAdmin } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { type CallRange, listCalls } from './call-list.repository.ts';

/** One page of calls; days are those of the business. @throws AppError `validation_failed` */
export async function listCallsOfTenant(
  { database, tenants }: { database: Database; tenants: TenantDirectory },
  tenantId: number,
  query: ListCallsAdmin,
) {
  const { from_date, to_date } = query;
  const isRanged = from_date !== undefined || to_date !== undefined;
  const range = isRanged ? rangeOf(from_date, to_date, (await tenants.find(tenantId)).timezone) : {};
  return listCalls(database, tenantId, query, range);
}

function rangeOf(
  from: DateOrInstant | undefined,
  to: DateOrInstant | undefined,
  timezone: string,
): CallRange {
  const start = from && startOf(from, timezone);
  const until = to && endOf(to, timezone);
  if (start && until && start >= until)
    throw invalid({ to_date: ['The to_date field must not be before from_date.'] });
  return { ...(start && { from: start }), ...(until && { until }) };
}

const startOf = (end: DateOrInstant, timezone: string): Date =>
  'date' in end ? midnight(Temporal.PlainDate.from(end.date), timezone) : end.instant;

/** The first instant behind the range. A day goes on to the next midnight; an instant, known to the millisecond, is within. */
const endOf = (end: DateOrInstant, timezone: string): Date =>
  'date' in end
    ? midnight(Temporal.PlainDate.from(end.date).add({ days: 1 }), timezone)
    : new Date(end.instant.getTime() + 1);

/** Where a clock change skips midnight, the day begins with what follows. */
export const midnight = (date: Temporal.PlainDate, timezone: string): Date =>
  new Date(date.toZonedDateTime(timezone).epochMilliseconds);

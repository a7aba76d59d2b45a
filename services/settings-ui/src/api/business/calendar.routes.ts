import { dateField, type TenantView } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { unlessEmpty } from '../../domain/shared/addresses.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { regionOf } from '../../domain/shared/region.ts';
import type { CalendarRoutesDeps } from './calendar-deps.ts';
import { exceptionRoutes, timeOffRoutes } from './dates.routes.ts';
import { hoursRoutes } from './hours.routes.ts';

/** Weekly hours, dates with hours of their own, time off: of one staff member or of the business itself. */
export function calendarRoutes(app: App, deps: CalendarRoutesDeps): void {
  hoursRoutes(app, deps);
  exceptionRoutes(app, deps);
  timeOffRoutes(app, deps);
}

/** The business's own day. */
export const todayOf = (tenant: TenantView | null): string => dateIn(regionOf({ tenant }).zone, Date.now());

/** The query of a page with a calendar: the date that is about to be changed. */
export const editedDateQuery = z.looseObject({ date: unlessEmpty(dateField) });

/** The date that is about to be changed, as the address names it. */
export function editedDateOf({ query }: FastifyRequest): string | undefined {
  return editedDateQuery.safeParse(query).data?.date;
}

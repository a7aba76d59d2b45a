import { calendarSchema, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { regionOf } from '../../domain/shared/region.ts';
import { loadConflicts } from '../../use-cases/business/load-conflicts.ts';
import { orNull } from '../../use-cases/or-null.ts';
import type { CalendarEntries } from '../../views/business/calendar-cards.ts';
import { OPENING_HOURS } from '../../views/business/frame.view.ts';
import { openingHoursPage } from '../../views/business/opening-hours.view.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { refusalOf } from '../shared/refusals.ts';
import { calendarRoutes, editedDateOf, editedDateQuery, todayOf } from './calendar.routes.ts';

/** The business's own calendar. */
export function openingHoursRoutes(
  app: App,
  { gateway, scheduling, customers, changes, pages }: AreaDeps,
): void {
  const { staff, calendars } = scheduling;

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    entries: CalendarEntries = {},
    refusal?: string,
  ) => {
    const { tenantId } = request;
    const [calendar, members, tenant, found] = await Promise.all([
      orNull(calendars.find(tenantId, null)),
      orNull(staff.list(tenantId)),
      orNull(gateway.tenant(tenantId)),
      loadConflicts({ calendars, customers }, tenantId, null),
    ]);
    const region = regionOf({ tenant });
    const conflicts = found && { ...found, region };
    const dates = { today: todayOf(tenant), editedDate: editedDateOf(request) };
    const cards = { calendar, region, entries, conflicts, ...dates };
    const active = members?.filter(({ is_active }) => is_active) ?? null;
    return pages.send(reply, openingHoursPage(pages.context(request), { cards, staff: active, refusal }));
  };

  app.get(
    OPENING_HOURS,
    { schema: { querystring: editedDateQuery, response: { 200: dataOf(calendarSchema) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok((await calendars.find(request.tenantId, null)).record);
    },
  );

  calendarRoutes(app, {
    ...{ calendars, changes, base: OPENING_HOURS, show },
    showRefusal: (request, reply, error) => show(request, reply, {}, refusalOf(error)),
    ownerOf: async () => ({ owner: null, name: 'The business' }),
  });
}

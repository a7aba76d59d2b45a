import { calendarSchema, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { OPENING_HOURS } from '../records/record-form.view.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import type { CalendarEntries } from './calendar-cards.ts';
import { calendarRoutes, editedDateOf, editedDateQuery, todayOf } from './calendar-changes.ts';
import { loadConflicts } from './load-conflicts.ts';
import { openingHoursPage } from './opening-hours.view.ts';

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
    const { session: by } = request;
    const [calendar, members, tenant, found] = await Promise.all([
      orNull(calendars.find(by, null)),
      orNull(staff.list(by)),
      orNull(gateway.tenant(by)),
      loadConflicts({ calendars, customers }, by, null),
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
      return ok((await calendars.find(request.session, null)).record);
    },
  );

  calendarRoutes(app, {
    calendars,
    changes,
    base: OPENING_HOURS,
    show,
    showError: (request, reply, error) => show(request, reply, {}, errorText(error)),
    ownerOf: async () => ({ owner: null, name: 'The business' }),
  });
}

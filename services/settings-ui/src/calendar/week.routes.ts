import { dataOf, daySchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { weekQuery } from '../records/day-query.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { findPerson } from './find-person.ts';
import { loadDays, theWeek } from './load-days.ts';
import { weekPage } from './week.view.ts';

/** A week of everybody who works, or of one of them. */
export function weekRoutes(app: App, deps: AreaDeps): void {
  const { appointments, pages } = deps;

  app.get(
    '/settings/calendar/week',
    {
      config: { isExpensive: true, withoutQuery: 'Go to this week', resource: 'Staff member' },
      schema: { querystring: weekQuery.loose(), response: { 200: dataOf(daySchema.array()) } },
    },
    async (request, reply) => {
      const { session: by } = request;
      const { date = 'today', staff_id: staffId } = request.query;
      if (wantsJson(request)) return ok(await appointments.week(by, date));
      const [loaded, person] = await Promise.all([
        loadDays(deps, by, theWeek(by, date)),
        findPerson(deps, by, staffId),
      ]);
      const now = Date.now();
      const context = pages.context(request);
      const today = dateIn(loaded.region.zone, now);
      const shown = { date: date === 'today' ? today : date, today, staffId, person, now };
      return pages.send(
        reply,
        weekPage(context, { ...loaded, ...shown, canBook: canChange(context, BOOKING) }),
      );
    },
  );
}

import { dataOf, daySchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { dayQuery } from '../records/day-query.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { dayPage } from './day.view.ts';
import { loadDays, theDay } from './load-days.ts';

/** A day as everybody who works has it. */
export function dayRoutes(app: App, deps: AreaDeps): void {
  const { appointments, pages } = deps;

  app.get(
    '/settings/calendar',
    {
      config: { isExpensive: true, withoutQuery: 'Go to today' },
      schema: { querystring: dayQuery.loose(), response: { 200: dataOf(daySchema) } },
    },
    async (request, reply) => {
      const { session: by } = request;
      const { date, cancelled } = dayQuery.parse(request.query);
      if (wantsJson(request)) return ok(await appointments.day(by, date ?? 'today'));
      const loaded = await loadDays(deps, by, theDay(by, date ?? 'today'));
      const [day] = loaded.days ?? [];
      const now = Date.now();
      const today = dateIn(loaded.region.zone, now);
      const context = pages.context(request);
      const shown = {
        date: day?.date ?? date ?? today,
        today,
        showsCancelled: cancelled !== undefined,
        now,
        canBook: canChange(context, BOOKING),
      };
      return pages.send(reply, dayPage(context, { ...loaded, ...shown }));
    },
  );
}

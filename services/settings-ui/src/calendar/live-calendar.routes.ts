import { type App, inTenantQueue } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { eventOf, LIVE_ROUTE, READ_EVERY_MS } from '../live/live-streams.ts';
import { createSharedReads } from '../live/shared-reads.cache.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { dayQuery, weekQuery } from '../records/day-query.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import type { Html } from '../ui/html.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { dayBody } from './day.view.ts';
import { findPerson } from './find-person.ts';
import { type FollowedDays, followDays, theChangedDay, theChangedWeek } from './load-days.ts';
import { weekBody } from './week.view.ts';

interface Followed {
  days: 'day' | 'week';
  date: string;
  /** Members with other scopes get another drawing; so do other variants. */
  variant: string;
  draw: (days: FollowedDays, options: { date: string; today: string; canBook: boolean }) => Html;
}

/**
 * Days and weeks as server-sent events. However many browsers follow one, scheduling is asked once a second at most
 * whether it has changed; for those of a tenant, one after the other.
 */
export function liveCalendarRoutes(app: App, deps: AreaDeps): void {
  const reads = createSharedReads<FollowedDays>({ everyMs: READ_EVERY_MS });
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  function follow(request: FastifyRequest, reply: FastifyReply, { days, date, variant, draw }: Followed) {
    const { session: by } = request;
    // Who may see less shares nothing with who may see more.
    const key = `${by.tenantId} ${by.scopes.join()} ${days} ${date}`;
    // The page was just shown: nothing older may come back.
    const notBeforeMs = performance.now();
    const read = (days === 'day' ? theChangedDay : theChangedWeek)(by, date);
    const event = async () => {
      const canBook = canChange(deps.pages.context(request), BOOKING);
      const readOn = (before: FollowedDays | undefined) =>
        inTenantQueue(by.tenantId, closing.signal, () => followDays(deps, by, read, before));
      const followed = await reads.get(key, readOn, { notBeforeMs });
      return followed.drawn.getOrInsertComputed(`${variant} ${canBook}`, () => {
        const today = dateIn(followed.region.zone, followed.now);
        const options = { date: date === 'today' ? today : date, today, canBook };
        return eventOf(draw(followed, options).toString());
      });
    };
    return deps.streams.send(request, reply, event, { pauseMs: () => reads.freshForMs(key) });
  }

  app.get(
    '/settings/calendar/live',
    { ...LIVE_ROUTE, schema: { querystring: dayQuery } },
    async (request, reply) => {
      const { date = 'today', cancelled } = request.query;
      const showsCancelled = cancelled !== undefined;
      const draw: Followed['draw'] = (days, options) => dayBody({ ...days, ...options, showsCancelled });
      return follow(request, reply, { days: 'day', date, variant: `cancelled ${showsCancelled}`, draw });
    },
  );

  app.get(
    '/settings/calendar/week/live',
    { ...LIVE_ROUTE, schema: { querystring: weekQuery } },
    async (request, reply) => {
      const { date = 'today', staff_id: staffId } = request.query;
      const person = await findPerson(deps, request.session, staffId);
      const draw: Followed['draw'] = (days, options) => weekBody({ ...days, ...options, staffId, person });
      return follow(request, reply, { days: 'week', date, variant: `staff ${staffId}`, draw });
    },
  );
}

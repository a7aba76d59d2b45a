import {
  businessCalendarRoutes,
  type CalendarInput,
  type FieldErrors,
  staffCalendarRoutes,
} from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import {
  type App,
  etagOf,
  invalid,
  matching,
  notFound,
  ok,
  type RequireVersion,
  route,
  versioned,
} from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stopFollowing } from '../staff/staff.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { boundErrors, dateBoundErrors } from '../working-hours/calendar-bounds.rules.ts';
import {
  deleteException,
  deleteTimeOff,
  insertTimeOff,
  replaceCalendars,
  saveException,
} from '../working-hours/own-calendar.repository.ts';
import {
  calendarChange,
  calendarRecord,
  isChange,
  type OwnCalendar,
} from '../working-hours/own-calendar.rules.ts';
import { breakErrors } from '../working-hours/weekly-hours.rules.ts';
import { changeCalendar, showCalendar, type VersionedCalendar } from './change-calendar.ts';
import { pastDateErrors, pastTimeOffErrors } from './past-entries.rules.ts';

type Routes = typeof businessCalendarRoutes | typeof staffCalendarRoutes;

interface Deps {
  database: Database;
  tenants: TenantDirectory;
}

/** Weekly hours, dates with hours of their own and time off: of the business itself, and of each staff member. */
export function calendarRoutes(app: App, deps: Deps): void {
  for (const routes of [businessCalendarRoutes, staffCalendarRoutes]) {
    hoursRoutes(app, deps, routes);
    exceptionRoutes(app, deps, routes);
    timeOffRoutes(app, deps, routes);
  }
}

const show = (reply: FastifyReply, { calendar, version }: VersionedCalendar) =>
  versioned(reply, version, calendarRecord(calendar));

function requireNone(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Makes a change and shows the whole calendar. `write` says whether it changed anything. */
async function change(
  database: Database,
  { request, reply, id }: { request: FastifyRequest; reply: FastifyReply; id: number },
  write: (tx: TenantTransaction, before: OwnCalendar) => Promise<boolean>,
) {
  const scope = database.forTenant(request.tenantId);
  const changed = await scope.transaction((tx) =>
    changeCalendar(tx, id, matching(request), (before) => write(tx, before)),
  );
  return show(reply, changed);
}

function hoursRoutes(app: App, { database }: Deps, routes: Routes): void {
  route(app, routes.getCalendar, async ({ tenantId, params: { id = BUSINESS } }, reply) =>
    show(reply, await database.forTenant(tenantId).transaction((tx) => showCalendar(tx, id))),
  );

  route(app, routes.replaceHours, async (request, reply) => {
    const { body } = request;
    const { id = BUSINESS } = request.params;
    requireNone(breakErrors(body));
    const scope = database.forTenant(request.tenantId);
    return show(reply, await scope.transaction((tx) => replaceHours(tx, id, matching(request), body)));
  });
}

function exceptionRoutes(app: App, { database, tenants }: Deps, routes: Routes): void {
  route(app, routes.putException, async (request, reply) => {
    const { id = BUSINESS, date } = request.params;
    const { timezone } = await tenants.find(request.tenantId);
    return change(database, { request, reply, id }, (tx, before) => {
      const isNew = before.exceptions.every((entry) => entry.date !== date);
      requireNone(isNew ? pastDateErrors(date, { timezone, now: Date.now() }) : {});
      requireNone(dateBoundErrors(before, { date, ...request.body }));
      return saveException(tx, id, { date, ...request.body });
    });
  });

  route(app, routes.deleteException, async (request, reply) => {
    const { id = BUSINESS, date } = request.params;
    return change(database, { request, reply, id }, async (tx) => {
      if (!(await deleteException(tx, id, date))) throw notFound('Exception');
      return true;
    });
  });
}

function timeOffRoutes(app: App, { database, tenants }: Deps, routes: Routes): void {
  route(app, routes.createTimeOff, async (request, reply) => {
    const { body, tenantId } = request;
    const { id: owner = BUSINESS } = request.params;
    const { timezone } = await tenants.find(tenantId);
    return idempotent({ request, reply, scope: database.forTenant(tenantId) }, (transaction) =>
      transaction(async (tx) => {
        requireNone(pastTimeOffErrors(body, { timezone, now: Date.now() }));
        let id = 0;
        const { version } = await changeCalendar(tx, owner, matching(request), async () => {
          id = await insertTimeOff(tx, owner, body);
          return true;
        });
        return { status: 201, body: ok({ id, ...body }), headers: { etag: etagOf(version) } };
      }),
    );
  });

  route(app, routes.deleteTimeOff, async (request, reply) => {
    const { id = BUSINESS, time_off_id } = request.params;
    return change(database, { request, reply, id }, async (tx) => {
      if (!(await deleteTimeOff(tx, id, time_off_id))) throw notFound('Time off');
      return true;
    });
  });
}

/**
 * Gives the business, or a staff member, these weekly hours. Staff then no longer follow the business's.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
const replaceHours = (
  tx: TenantTransaction,
  resourceId: number,
  requireVersion: RequireVersion,
  hours: Pick<CalendarInput, 'hours' | 'breaks'>,
): Promise<VersionedCalendar> =>
  changeCalendar(tx, resourceId, requireVersion, async (before) => {
    const errors = boundErrors(before, hours);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const wanted = calendarChange(before, hours);
    await replaceCalendars(tx, new Map([[resourceId, wanted]]));
    const hasFollowed = resourceId !== BUSINESS && (await stopFollowing(tx, resourceId));
    return isChange(wanted) || hasFollowed;
  });

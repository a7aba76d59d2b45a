import { idempotent } from '@frontdesk/chassis';
import {
  calendarSchema,
  dataOf,
  datedHoursBody,
  dateField,
  type FieldErrors,
  pathId,
  replaceHoursBody,
  timeOffInput,
  timeOffSchema,
} from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, etagOf, invalid, matching, notFound, ok, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  deleteException,
  deleteTimeOff,
  insertTimeOff,
  saveException,
} from '../data/own-calendar.repository.ts';
import { dateBoundErrors } from '../domain/calendar-bounds.ts';
import { calendarRecord, type OwnCalendar } from '../domain/own-calendar.ts';
import { pastDateErrors, pastTimeOffErrors } from '../domain/past-entries.ts';
import { BUSINESS } from '../domain/slot.ts';
import { breakErrors } from '../domain/weekly-hours.ts';
import { changeCalendar, showCalendar, type VersionedCalendar } from '../use-cases/change-calendar.ts';
import { replaceHours } from '../use-cases/replace-hours.ts';

const { id: pathNumber } = pathId.shape;

/** A path that names nobody means the business itself. */
const ownerPath = z.looseObject({ id: pathNumber.default(BUSINESS) });
const exceptionPath = ownerPath.extend({ date: dateField });
const timeOffPath = ownerPath.extend({ time_off_id: pathNumber });
const response = { 200: dataOf(calendarSchema) };

const ofOwner = { resource: 'Staff member' };
const ofException = { resource: 'Exception' };
const ofTimeOff = { resource: 'Time off' };

interface Deps {
  database: Database;
  tenants: TenantDirectory;
}

/** Weekly hours, dates with hours of their own and time off: of the business itself, and of each staff member. */
export function calendarRoutes(app: App, deps: Deps): void {
  for (const owner of ['', '/staff/:id'] as const) {
    const path = `/internal/tenants/:tenant_id${owner}/calendar`;
    hoursRoutes(app, deps, path);
    exceptionRoutes(app, deps, path);
    timeOffRoutes(app, deps, path);
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

function hoursRoutes(app: App, { database }: Deps, path: string): void {
  app.get(
    path,
    { config: ofOwner, schema: { params: ownerPath, response } },
    async ({ tenantId, params }, reply) =>
      show(reply, await database.forTenant(tenantId).transaction((tx) => showCalendar(tx, params.id))),
  );

  app.put(
    `${path}/hours`,
    { config: ofOwner, schema: { params: ownerPath, body: replaceHoursBody, response } },
    async (request, reply) => {
      const { body } = request;
      const { id } = request.params;
      requireNone(breakErrors(body));
      const scope = database.forTenant(request.tenantId);
      return show(reply, await scope.transaction((tx) => replaceHours(tx, id, matching(request), body)));
    },
  );
}

function exceptionRoutes(app: App, { database, tenants }: Deps, path: string): void {
  app.put(
    `${path}/exceptions/:date`,
    { config: ofException, schema: { params: exceptionPath, body: datedHoursBody, response } },
    async (request, reply) => {
      const { id, date } = request.params;
      const { timezone } = await tenants.find(request.tenantId);
      return change(database, { request, reply, id }, (tx, before) => {
        const isNew = before.exceptions.every((entry) => entry.date !== date);
        requireNone(isNew ? pastDateErrors(date, { timezone, now: Date.now() }) : {});
        requireNone(dateBoundErrors(before, { date, ...request.body }));
        return saveException(tx, id, { date, ...request.body });
      });
    },
  );

  app.delete(
    `${path}/exceptions/:date`,
    { config: ofException, schema: { params: exceptionPath, response } },
    async (request, reply) => {
      const { id, date } = request.params;
      return change(database, { request, reply, id }, async (tx) => {
        if (!(await deleteException(tx, id, date))) throw notFound('Exception');
        return true;
      });
    },
  );
}

function timeOffRoutes(app: App, { database, tenants }: Deps, path: string): void {
  app.post(
    `${path}/time-off`,
    {
      config: ofOwner,
      schema: { params: ownerPath, body: timeOffInput, response: { 201: dataOf(timeOffSchema) } },
    },
    async (request, reply) => {
      const { params, body, tenantId } = request;
      const { timezone } = await tenants.find(tenantId);
      return idempotent({ request, reply, scope: database.forTenant(tenantId) }, (transaction) =>
        transaction(async (tx) => {
          requireNone(pastTimeOffErrors(body, { timezone, now: Date.now() }));
          let id = 0;
          const { version } = await changeCalendar(tx, params.id, matching(request), async () => {
            id = await insertTimeOff(tx, params.id, body);
            return true;
          });
          return { status: 201, body: ok({ id, ...body }), headers: { etag: etagOf(version) } };
        }),
      );
    },
  );

  app.delete(
    `${path}/time-off/:time_off_id`,
    { config: ofTimeOff, schema: { params: timeOffPath, response } },
    async (request, reply) => {
      const { id, time_off_id } = request.params;
      return change(database, { request, reply, id }, async (tx) => {
        if (!(await deleteTimeOff(tx, id, time_off_id))) throw notFound('Time off');
        return true;
      });
    },
  );
}

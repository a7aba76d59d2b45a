import {
  calendarSchema,
  dataOf,
  datedHoursBody,
  dateField,
  pathId,
  replaceHoursBody,
  timeOffInput,
  timeOffSchema,
} from '@frontdesk/contracts';
import { type Database, idempotent, type TenantTransaction } from '@frontdesk/database';
import { type App, etagOf, invalid, notFound, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  addTimeOff,
  deleteException,
  deleteTimeOff,
  storeException,
} from '../data/calendar-entries.repository.ts';
import { replaceCalendars } from '../data/calendar-writes.repository.ts';
import { calendarChange, calendarRecord, isChange, type OwnCalendar } from '../domain/own-calendar.ts';
import { BUSINESS } from '../domain/slot.ts';
import { breakErrors } from '../domain/weekly-hours.ts';
import { changeCalendar, showCalendar, type VersionedCalendar } from '../use-cases/change-calendar.ts';
import { matching, versioned } from './versioned.ts';

const { id: pathNumber } = pathId.shape;

/** A path that names nobody means the business itself. */
const ownerPath = z.looseObject({ id: pathNumber.default(BUSINESS) });
const exceptionPath = ownerPath.extend({ date: dateField });
const timeOffPath = ownerPath.extend({ time_off_id: pathNumber });
const response = { 200: dataOf(calendarSchema) };

type Write = (tx: TenantTransaction, before: OwnCalendar) => Promise<boolean>;

/** Weekly hours, dates with hours of their own and time off: of the business itself, and of each member of staff. */
export function calendarRoutes(app: App, deps: { database: Database }): void {
  for (const owner of ['', '/staff/:id'] as const)
    routesOf(app, deps.database, `/internal/tenants/:tenant_id${owner}/calendar`);
}

function routesOf(app: App, database: Database, path: string): void {
  const show = (reply: FastifyReply, { calendar, version }: VersionedCalendar) =>
    versioned(reply, version, calendarRecord(calendar));

  const changeIn = (tx: TenantTransaction, request: FastifyRequest, id: number, write: Write) =>
    changeCalendar(tx, id, matching(request), (before) => write(tx, before));

  const change = async (request: FastifyRequest, reply: FastifyReply, id: number, write: Write) =>
    show(
      reply,
      await database.forTenant(request.tenantId).transaction((tx) => changeIn(tx, request, id, write)),
    );

  app.get(
    path,
    { config: { resource: 'Staff member' }, schema: { params: ownerPath, response } },
    async ({ tenantId, params }, reply) =>
      show(reply, await database.forTenant(tenantId).transaction((tx) => showCalendar(tx, params.id))),
  );

  app.put(
    `${path}/hours`,
    { config: { resource: 'Staff member' }, schema: { params: ownerPath, body: replaceHoursBody, response } },
    async (request, reply) => {
      const { params, body } = request;
      const errors = breakErrors(body);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      return change(request, reply, params.id, async (tx, before) => {
        const wanted = calendarChange(before, body);
        await replaceCalendars(tx, new Map([[params.id, wanted]]));
        return isChange(wanted);
      });
    },
  );

  app.put(
    `${path}/exceptions/:date`,
    { config: { resource: 'Exception' }, schema: { params: exceptionPath, body: datedHoursBody, response } },
    async (request, reply) => {
      const { params, body } = request;
      return change(request, reply, params.id, (tx) =>
        storeException(tx, params.id, { date: params.date, ...body }),
      );
    },
  );

  app.delete(
    `${path}/exceptions/:date`,
    { config: { resource: 'Exception' }, schema: { params: exceptionPath, response } },
    async (request, reply) => {
      const { params } = request;
      return change(request, reply, params.id, async (tx) => {
        if (!(await deleteException(tx, params.id, params.date))) throw notFound('Exception');
        return true;
      });
    },
  );

  app.post(
    `${path}/time-off`,
    {
      config: { resource: 'Staff member' },
      schema: { params: ownerPath, body: timeOffInput, response: { 201: dataOf(timeOffSchema) } },
    },
    async (request, reply) => {
      const { params, body, tenantId } = request;
      return idempotent({ request, reply, scope: database.forTenant(tenantId) }, (transaction) =>
        transaction(async (tx) => {
          let id = 0;
          const { version } = await changeIn(tx, request, params.id, async () => {
            id = await addTimeOff(tx, params.id, body);
            return true;
          });
          return { status: 201, body: ok({ id, ...body }), headers: { etag: etagOf(version) } };
        }),
      );
    },
  );

  app.delete(
    `${path}/time-off/:time_off_id`,
    { config: { resource: 'Time off' }, schema: { params: timeOffPath, response } },
    async (request, reply) => {
      const { params } = request;
      return change(request, reply, params.id, async (tx) => {
        if (!(await deleteTimeOff(tx, params.id, params.time_off_id))) throw notFound('Time off');
        return true;
      });
    },
  );
}

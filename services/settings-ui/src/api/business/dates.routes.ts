import { dataOf, dateField, pathId, timeOffSchema } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import {
  exceptionBody,
  exceptionOf,
  timeOffBody,
  timeOffOfBody,
} from '../../domain/business/calendar-forms.ts';
import { answerChange } from '../shared/changes.ts';
import { refusedRecordForm } from '../shared/refusals.ts';
import { plainBody } from './business-forms.ts';
import { type CalendarRoutesDeps, calendarAnswer, ownerPath, pageOf } from './calendar-deps.ts';

const ofDate = ownerPath.extend({ date: dateField });
const ofTimeOff = ownerPath.extend({ time_off_id: pathId.shape.id });

const DATE_FIELDS = ['date', 'hours', 'note'];
const TIME_OFF_FIELDS = ['first_day', 'last_day', 'first_time', 'last_time', 'note'];

/** Scheduling names the end of time off; in a form it is the last day, or the only one. */
const dayOfForm =
  ({ sent }: FastifyRequest) =>
  (name: string) =>
    name === 'end' ? (sent?.last_day ? 'last_day' : 'first_day') : name;

/** Dates with hours of their own. */
export function exceptionRoutes(app: App, deps: CalendarRoutesDeps): void {
  const { calendars, changes, base, ownerOf, show, showRefusal } = deps;
  app.post(
    `${base}/exceptions`,
    {
      schema: {
        params: ownerPath,
        body: exceptionBody,
        response: { 200: calendarAnswer },
      },
      config: {
        resource: 'Staff member',
        failurePage: (request, reply, error) =>
          show(request, reply, { exception: refusedRecordForm(request, error, DATE_FIELDS) }),
      },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const { owner, name } = await ownerOf(request);
      const exception = exceptionOf(request.body);
      const subject = `${name}, ${exception.date}`;
      const data = await changes.make(request, { action: 'exception_saved', subject }, () =>
        calendars.putException(tenantId, owner, exception, request.body.version),
      );
      const to = `${pageOf(base, request)}#exceptions`;
      return answerChange(request, reply, { data, notice: 'exception-saved', to });
    },
  );

  app.post(
    `${base}/exceptions/:date/delete`,
    {
      schema: { params: ofDate, body: plainBody, response: { 200: calendarAnswer } },
      config: { resource: 'Exception', failurePage: showRefusal },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { owner, name } = await ownerOf(request);
      const change = { action: 'exception_removed', subject: `${name}, ${params.date}` } as const;
      const data = await changes.make(request, change, () =>
        calendars.removeException(tenantId, owner, params.date, body.version),
      );
      const to = `${pageOf(base, request)}#exceptions`;
      return answerChange(request, reply, { data, notice: 'exception-removed', to });
    },
  );
}

/** Time off, or the days on which the business is closed. */
export function timeOffRoutes(app: App, deps: CalendarRoutesDeps): void {
  const { calendars, changes, base, ownerOf, show, showRefusal } = deps;
  app.post(
    `${base}/time-off`,
    {
      schema: { params: ownerPath, body: timeOffBody, response: { 201: dataOf(timeOffSchema) } },
      config: {
        resource: 'Staff member',
        failurePage: (request, reply, error) =>
          show(request, reply, {
            timeOff: refusedRecordForm(request, error, TIME_OFF_FIELDS, dayOfForm(request)),
          }),
      },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const { owner, name } = await ownerOf(request);
      const timeOff = timeOffOfBody(request.body);
      const subject = `${name}, ${timeOff.start} to ${timeOff.end}`;
      const data = await changes.make(request, { action: 'time_off_added', subject }, () =>
        calendars.addTimeOff(tenantId, owner, timeOff, request.body.version),
      );
      reply.code(201);
      const to = `${pageOf(base, request)}#time-off`;
      return answerChange(request, reply, { data, notice: 'time-off-added', to });
    },
  );

  app.post(
    `${base}/time-off/:time_off_id/delete`,
    {
      schema: { params: ofTimeOff, body: plainBody, response: { 200: calendarAnswer } },
      config: { resource: 'Time off', failurePage: showRefusal },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { owner, name } = await ownerOf(request);
      const data = await changes.make(request, { action: 'time_off_removed', subject: name }, () =>
        calendars.removeTimeOff(tenantId, owner, params.time_off_id, body.version),
      );
      const to = `${pageOf(base, request)}#time-off`;
      return answerChange(request, reply, { data, notice: 'time-off-removed', to });
    },
  );
}

import {
  calendarSchema,
  dataOf,
  dateField,
  pathId,
  type TenantView,
  timeOffSchema,
  WEEKDAYS,
} from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idempotencyKeyOf } from '../booking/booking-form.rules.ts';
import { answerChange, type Changes } from '../changes/changes.ts';
import type { CalendarOwner, SchedulingClient } from '../clients/scheduling.client.ts';
import { plainBody } from '../forms/form-values.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { unlessEmpty } from '../ui/addresses.rules.ts';
import { recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import type { CalendarEntries } from './calendar-cards.ts';
import {
  exceptionBody,
  exceptionOf,
  hoursBody,
  hoursOf,
  timeOffBody,
  timeOffOfBody,
} from './calendar-forms.rules.ts';
import { type DraftStep, draftStepOf, PREVIEW, takeStep } from './draft-steps.rules.ts';
import { draftOfForm } from './hours-draft.rules.ts';

export interface CalendarRoutesDeps {
  calendars: SchedulingClient['calendars'];
  changes: Changes;
  /** Where the owner's page is. */
  base: string;
  /** Whose calendar a request is about, and what the audit log calls them. @throws AppError 404 */
  ownerOf: (request: FastifyRequest) => Promise<{ owner: CalendarOwner; name: string }>;
  show: (request: FastifyRequest, reply: FastifyReply, entries: CalendarEntries) => Promise<FastifyReply>;
  showError: ErrorPage;
}

/** A path that names nobody means the business itself. */
const ownerPath = z.looseObject({ id: pathId.shape.id.optional() });
const calendarAnswer = dataOf(calendarSchema);

/** The page that the calendar is on. */
const pageOf = (base: string, request: FastifyRequest) =>
  base.replace(':id', String((request.params as { id?: number }).id));

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

/** Weekly hours. The form's buttons change what is entered; only without one is it saved. */
function hoursRoutes(app: App, { calendars, changes, base, ownerOf, show }: CalendarRoutesDeps): void {
  const showDraft = (request: FastifyRequest, reply: FastifyReply, step: DraftStep | null) => {
    const form = { ...EMPTY_FORM, values: request.sent ?? {} };
    const entered = draftOfForm(form.values);
    const addedTo = step?.kind === 'add' ? step.day : undefined;
    return show(request, reply, {
      hours: { form, draft: step ? takeStep(entered, step) : entered, addedTo },
    });
  };

  app.post(
    `${base}/hours`,
    {
      schema: { params: ownerPath, body: hoursBody, response: { 200: calendarAnswer } },
      config: {
        resource: 'Staff member',
        errorPage: (request, reply, error) => {
          const form = recordFormWithErrors(request, error, WEEKDAYS, dayOf);
          return show(request, reply, { hours: { form } });
        },
      },
    },
    async (request, reply) => {
      const { session: by } = request;
      const step = draftStepOf(request.body.do);
      if (step || request.body.do === PREVIEW) return showDraft(request, reply, step);
      const { owner, name } = await ownerOf(request);
      const hours = hoursOf(request.body);
      const data = await changes.make(request, { action: 'hours_changed', subject: name }, () =>
        calendars.replaceHours(by, owner, hours, request.body.version),
      );
      return answerChange(request, reply, { data, notice: 'hours-saved', to: pageOf(base, request) });
    },
  );
}

/** Scheduling names a stretch, `hours.monday.0`; the form has a place for each day. */
const dayOf = (name: string) => name.split('.')[1] ?? name;

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
function exceptionRoutes(app: App, deps: CalendarRoutesDeps): void {
  const { calendars, changes, base, ownerOf, show, showError } = deps;
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
        errorPage: (request, reply, error) =>
          show(request, reply, { exception: recordFormWithErrors(request, error, DATE_FIELDS) }),
      },
    },
    async (request, reply) => {
      const { session: by } = request;
      const { owner, name } = await ownerOf(request);
      const exception = exceptionOf(request.body);
      const subject = `${name}, ${exception.date}`;
      const data = await changes.make(request, { action: 'exception_saved', subject }, () =>
        calendars.putException(by, owner, exception, request.body.version),
      );
      const to = `${pageOf(base, request)}#exceptions`;
      return answerChange(request, reply, { data, notice: 'exception-saved', to });
    },
  );

  app.post(
    `${base}/exceptions/:date/delete`,
    {
      schema: { params: ofDate, body: plainBody, response: { 200: calendarAnswer } },
      config: { resource: 'Exception', errorPage: showError },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { owner, name } = await ownerOf(request);
      const change = { action: 'exception_removed', subject: `${name}, ${params.date}` } as const;
      const data = await changes.make(request, change, () =>
        calendars.removeException(by, owner, params.date, body.version),
      );
      const to = `${pageOf(base, request)}#exceptions`;
      return answerChange(request, reply, { data, notice: 'exception-removed', to });
    },
  );
}

/** Time off, or the days on which the business is closed. */
function timeOffRoutes(app: App, deps: CalendarRoutesDeps): void {
  const { calendars, changes, base, ownerOf, show, showError } = deps;
  app.post(
    `${base}/time-off`,
    {
      schema: { params: ownerPath, body: timeOffBody, response: { 201: dataOf(timeOffSchema) } },
      config: {
        resource: 'Staff member',
        errorPage: (request, reply, error) =>
          show(request, reply, {
            timeOff: recordFormWithErrors(request, error, TIME_OFF_FIELDS, dayOfForm(request)),
          }),
      },
    },
    async (request, reply) => {
      const { session: by } = request;
      const { owner, name } = await ownerOf(request);
      const timeOff = timeOffOfBody(request.body);
      const { version, form_token } = request.body;
      const idempotencyKey = idempotencyKeyOf(form_token);
      const subject = `${name}, ${timeOff.start} to ${timeOff.end}`;
      const data = await changes.make(request, { action: 'time_off_added', subject }, () =>
        calendars.addTimeOff(by, owner, timeOff, { ifMatch: version, idempotencyKey }),
      );
      reply.code(201);
      const to = `${pageOf(base, request)}#time-off`;
      return answerChange(request, reply, { data, notice: 'time-off-added', id: data.id, to });
    },
  );

  app.post(
    `${base}/time-off/:time_off_id/delete`,
    {
      schema: { params: ofTimeOff, body: plainBody, response: { 200: calendarAnswer } },
      config: { resource: 'Time off', errorPage: showError },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { owner, name } = await ownerOf(request);
      const data = await changes.make(request, { action: 'time_off_removed', subject: name }, () =>
        calendars.removeTimeOff(by, owner, params.time_off_id, body.version),
      );
      const to = `${pageOf(base, request)}#time-off`;
      return answerChange(request, reply, { data, notice: 'time-off-removed', to });
    },
  );
}

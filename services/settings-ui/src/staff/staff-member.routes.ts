import { dataOf, pathId, staffAdminSchema, updateStaffBody } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { endingRoutes } from '../business/end-record.ts';
import { answerChange } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { orNull } from '../clients/or-null.ts';
import { plainBody, seenVersion } from '../forms/form-values.rules.ts';
import type { CalendarEntries } from '../hours/calendar-cards.ts';
import { calendarRoutes, editedDateOf, editedDateQuery, todayOf } from '../hours/calendar-changes.ts';
import { loadConflicts } from '../hours/load-conflicts.ts';
import { STAFF } from '../records/record-form.view.ts';
import { regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText, recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState, isSent } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { STAFF_FIELDS, staffForm } from './staff-form.rules.ts';
import { staffMemberPage } from './staff-member.view.ts';
import { pictureFaultOf, pictureRoutes } from './staff-picture.routes.ts';

const SINGLE = `${STAFF}/:id` as const;
const config = { resource: 'Staff member' };
const single = { params: pathId, response: { 200: dataOf(staffAdminSchema) } };

interface Entered {
  form?: FormState;
  entries?: CalendarEntries;
  refusal?: string;
  pictureFault?: string | undefined;
}

/** One staff member: hours, dates, time off, what they do. */
export function staffMemberRoutes(app: App, deps: AreaDeps): void {
  const { gateway, scheduling, customers, changes, pages } = deps;
  const { services, staff, calendars } = scheduling;

  const show = async (request: FastifyRequest, reply: FastifyReply, entered: Entered = {}) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const { form = EMPTY_FORM, entries = {}, refusal, pictureFault } = entered;
    const found = staff.find(by, id);
    // What was sent is shown again even where the staff member can't be.
    const hasSent = isSent(form) || Object.keys(entries).length > 0;
    const [member, followed, calendar, all, tenant, bookability, clashes] = await Promise.all([
      hasSent ? orNull(found) : found,
      followedBy(by, found),
      orNull(calendars.find(by, id)),
      orNull(services.list(by)),
      orNull(gateway.tenant(by)),
      orNull(scheduling.bookability(by)),
      loadConflicts({ calendars, customers }, by, id),
    ]);
    const region = regionOf({ tenant });
    const conflicts = clashes && { ...clashes, region };
    const dates = { today: todayOf(tenant), editedDate: editedDateOf(request) };
    const cards = { calendar, region, entries, conflicts, followed, ...dates };
    const page = { id, member, form, services: all, bookability, cards, refusal, pictureFault };
    return pages.send(reply, staffMemberPage(pages.context(request), page));
  };
  /** The business's hours, where the staff member follows them. */
  const followedBy = async (by: By, found: ReturnType<typeof staff.find>) => {
    const member = await orNull(found);
    if (!member?.record.follows_business_hours) return undefined;
    const business = await orNull(calendars.find(by, null));
    return { opening: business?.record.hours ?? null };
  };
  const showError: ErrorPage = (request, reply, error) => show(request, reply, { refusal: errorText(error) });

  app.get(SINGLE, { config, schema: { ...single, querystring: editedDateQuery } }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    return ok((await staff.find(request.session, request.params.id)).record);
  });

  app.post(
    SINGLE,
    {
      schema: { ...single, body: staffForm(updateStaffBody.extend(seenVersion)) },
      config: {
        ...config,
        errorPage: (request, reply, error) =>
          show(request, reply, { form: recordFormWithErrors(request, error, STAFF_FIELDS) }),
      },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { version, ...fields } = body;
      const { record } = await staff.find(by, params.id);
      const data = await changes.make(request, { action: 'staff_changed', subject: record.name }, () =>
        staff.change(by, params.id, fields, version),
      );
      return answerChange(request, reply, {
        data,
        notice: 'staff-saved',
        to: `${STAFF}/${params.id}#details`,
      });
    },
  );

  pictureRoutes(app, {
    ...deps,
    showError: (request, reply, error) =>
      error.faults
        ? show(request, reply, { pictureFault: pictureFaultOf(error) })
        : showError(request, reply, error),
  });

  endingRoutes(app, {
    changes,
    records: staff,
    single: SINGLE,
    list: STAFF,
    resource: config.resource,
    kind: 'staff',
    schema: staffAdminSchema,
    showError,
  });

  recordChanges(app, {
    changes,
    single: SINGLE,
    config: { ...config, errorPage: showError },
    subjectOf: async (by, id) => (await staff.find(by, id)).record.name,
  }).post({
    verb: 'follow-hours',
    action: 'hours_changed',
    notice: 'hours-followed',
    schema: staffAdminSchema,
    body: plainBody,
    to: (id) => `${STAFF}/${id}`,
    work: ({ session: by, body }, id) => staff.change(by, id, { follows_business_hours: true }, body.version),
  });

  calendarRoutes(app, {
    calendars,
    changes,
    base: SINGLE,
    showError,
    show: (request, reply, entries) => show(request, reply, { entries }),
    ownerOf: async ({ session: by, params }) => {
      const { id } = params as { id: number };
      return { owner: id, name: (await staff.find(by, id)).record.name };
    },
  });
}

import { dataOf, pathId, staffAdminSchema, updateStaffBody } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { seenVersion } from '../../domain/business/calendar-forms.ts';
import { orNull } from '../../use-cases/or-null.ts';
import type { CalendarEntries } from '../../views/business/calendar-cards.ts';
import { STAFF } from '../../views/business/frame.view.ts';
import { staffMemberPage } from '../../views/business/staff-member.view.ts';
import { EMPTY_FORM, type FormState, isSent } from '../../views/shared/page-context.ts';
import { wantsJson } from '../shared/accept.ts';
import { answerChange } from '../shared/changes.ts';
import type { FailurePage } from '../shared/pages.ts';
import { refusalOf, refusedRecordForm } from '../shared/refusals.ts';
import type { BusinessDeps } from './business-deps.ts';
import { calendarRoutes, editedDateOf, editedDateQuery, todayOf } from './calendar.routes.ts';
import { endingRoutes } from './ending.routes.ts';
import { STAFF_FIELDS, staffForm } from './staff-form.ts';

const SINGLE = `${STAFF}/:id` as const;
const config = { resource: 'Staff member' };
const single = { params: pathId, response: { 200: dataOf(staffAdminSchema) } };

interface Entered {
  form?: FormState;
  entries?: CalendarEntries;
  refusal?: string;
}

/** One member of staff: hours, dates, time off, what they do. */
export function staffMemberRoutes(app: App, { gateway, scheduling, changes, pages }: BusinessDeps): void {
  const { services, staff, calendars } = scheduling;

  const show = async (request: FastifyRequest, reply: FastifyReply, entered: Entered = {}) => {
    const { tenantId } = request;
    const { id } = request.params as { id: number };
    const { form = EMPTY_FORM, entries = {}, refusal } = entered;
    const found = staff.find(tenantId, id);
    // What was sent is shown again even where the member of staff can't be.
    const hasSent = isSent(form) || Object.keys(entries).length > 0;
    const [member, calendar, all, tenant] = await Promise.all([
      hasSent ? orNull(found) : found,
      orNull(calendars.find(tenantId, id)),
      orNull(services.list(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    const cards = { calendar, entries, today: todayOf(tenant), editedDate: editedDateOf(request) };
    return pages.send(
      reply,
      staffMemberPage(pages.context(request), { id, member, form, services: all, cards, refusal }),
    );
  };
  const showRefusal: FailurePage = (request, reply, error) =>
    show(request, reply, { refusal: refusalOf(error) });

  app.get(SINGLE, { config, schema: { ...single, querystring: editedDateQuery } }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    return ok((await staff.find(request.tenantId, request.params.id)).record);
  });

  app.post(
    SINGLE,
    {
      schema: { ...single, body: staffForm(updateStaffBody.extend(seenVersion)) },
      config: {
        ...config,
        failurePage: (request, reply, error) =>
          show(request, reply, { form: refusedRecordForm(request, error, STAFF_FIELDS) }),
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { version, ...fields } = body;
      const { record } = await staff.find(tenantId, params.id);
      const data = await changes.make(request, { action: 'staff_changed', subject: record.name }, () =>
        staff.change(tenantId, params.id, fields, version),
      );
      return answerChange(request, reply, {
        data,
        notice: 'staff-saved',
        to: `${STAFF}/${params.id}#details`,
      });
    },
  );

  endingRoutes(app, {
    ...{ changes, records: staff, single: SINGLE, list: STAFF, resource: config.resource, kind: 'staff' },
    ...{ schema: staffAdminSchema, showRefusal },
  });

  calendarRoutes(app, {
    ...{ calendars, changes, base: SINGLE, showRefusal },
    show: (request, reply, entries) => show(request, reply, { entries }),
    ownerOf: async ({ tenantId, params }) => {
      const { id } = params as { id: number };
      return { owner: id, name: (await staff.find(tenantId, id)).record.name };
    },
  });
}

import { createStaffBody, dataOf, staffAdminSchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import { activeOf, quotaUse } from '../records/quota-use.rules.ts';
import { STAFF } from '../records/record-form.view.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { STAFF_FIELDS, staffForm } from './staff-form.rules.ts';
import { staffPage } from './staff-list.view.ts';
import { newStaffPage } from './staff-member.view.ts';

/** Who works in the business. */
export function staffRoutes(app: App, { gateway, scheduling, changes, pages }: AreaDeps): void {
  const { services, staff } = scheduling;

  app.get(
    STAFF,
    { schema: { response: { 200: dataOf(staffAdminSchema.array()) } } },
    async (request, reply) => {
      const { session: by } = request;
      if (wantsJson(request)) return ok(await staff.list(by));
      const [members, all, weeks, tenant, bookability] = await Promise.all([
        orNull(staff.list(by)),
        orNull(services.list(by)),
        orNull(scheduling.staffHours(by)),
        orNull(gateway.tenant(by)),
        orNull(scheduling.bookability(by)),
      ]);
      const hours = weeks && new Map(weeks.map((member) => [member.id, member.hours]));
      const quota = quotaUse('staff', tenant, activeOf(members));
      const page = { staff: members, services: all, hours, quota, bookability, region: regionOf({ tenant }) };
      return pages.send(reply, staffPage(pages.context(request), page));
    },
  );

  const showNew = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const { session: by } = request;
    const [all, members, tenant] = await Promise.all([
      orNull(services.list(by)),
      orNull(staff.list(by)),
      orNull(gateway.tenant(by)),
    ]);
    const quota = quotaUse('staff', tenant, activeOf(members));
    return pages.send(
      reply,
      newStaffPage(pages.context(request), { form, services: all, quota, region: regionOf({ tenant }) }),
    );
  };
  app.get(`${STAFF}/new`, (request, reply) => showNew(request, reply));

  app.post(
    `${STAFF}/new`,
    {
      schema: { body: staffForm(createStaffBody), response: { 201: dataOf(staffAdminSchema) } },
      config: {
        errorPage: (request, reply, error) =>
          showNew(request, reply, recordFormWithErrors(request, error, STAFF_FIELDS)),
      },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const data = await changes.make(request, { action: 'staff_added', subject: body.name }, () =>
        staff.add(by, body),
      );
      reply.code(201);
      const notice = data.follows_business_hours ? 'staff-added-following' : 'staff-added';
      return answerChange(request, reply, { data, notice, to: `${STAFF}/${data.id}` });
    },
  );
}

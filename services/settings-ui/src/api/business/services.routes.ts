import {
  dataOf,
  pathId,
  positiveId,
  serviceAdminSchema,
  serviceInput,
  updateServiceBody,
} from '@frontdesk/contracts';
import { type App, AppError, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  checkedIds,
  fromForm,
  typedNumber,
  typedText,
  typedTextOrNone,
} from '../../domain/business/form-values.ts';
import { setPerformers } from '../../use-cases/business/set-performers.ts';
import { orNull } from '../../use-cases/load-api-settings.ts';
import { SERVICES } from '../../views/business/frame.view.ts';
import { newServicePage, servicePage } from '../../views/business/service.view.ts';
import { servicesPage } from '../../views/business/services.view.ts';
import { EMPTY_FORM } from '../../views/page-context.ts';
import { wantsJson } from '../accept.ts';
import type { BusinessDeps } from './business-deps.ts';
import { answerSaved, refusalOf, refusedForm, seenVersion } from './business-forms.ts';
import { endingRoutes } from './ending.routes.ts';

const SINGLE = `${SERVICES}/:id` as const;
const FIELDS = [
  ...['name', 'description', 'duration_minutes', 'price'],
  ...['buffer_before_minutes', 'buffer_after_minutes', 'performers'],
];
const typed = {
  name: typedText,
  description: typedTextOrNone,
  duration_minutes: typedNumber,
  price: typedNumber,
  buffer_before_minutes: typedNumber,
  buffer_after_minutes: typedNumber,
  performers: checkedIds,
  shown_performers: checkedIds,
};
const performing = {
  /** Staff who are checked, and those who were when the form was shown. */
  performers: z.array(positiveId).default([]),
  shown_performers: z.array(positiveId).default([]),
};
const newBody = fromForm(serviceInput.extend(performing), typed);
const changeBody = fromForm(updateServiceBody.extend({ ...performing, ...seenVersion }), typed);
const single = { params: pathId, response: { 200: dataOf(serviceAdminSchema) } };

/** What the business offers. */
export function serviceRoutes(app: App, deps: BusinessDeps): void {
  const { gateway, scheduling, changes, pages } = deps;
  const { services, staff } = scheduling;

  app.get(
    SERVICES,
    { schema: { response: { 200: dataOf(serviceAdminSchema.array()) } } },
    async (request, reply) => {
      const { tenantId } = request;
      if (wantsJson(request)) return ok(await services.list(tenantId));
      const [all, members] = await Promise.all([
        orNull(services.list(tenantId)),
        orNull(staff.list(tenantId)),
      ]);
      return pages.send(reply, servicesPage(pages.context(request), { services: all, staff: members }));
    },
  );

  /** What the forms need beside the service. */
  const surroundings = async ({ tenantId }: FastifyRequest) => {
    const [members, tenant] = await Promise.all([
      orNull(staff.list(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    return { staff: members, currency: tenant?.currency ?? null };
  };
  const showNew = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) =>
    pages.send(reply, newServicePage(pages.context(request), { form, ...(await surroundings(request)) }));
  const show = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM, refusal?: string) => {
    const { id } = request.params as { id: number };
    const [service, around] = await Promise.all([services.find(request.tenantId, id), surroundings(request)]);
    return pages.send(reply, servicePage(pages.context(request), { service, form, refusal, ...around }));
  };

  app.get(`${SERVICES}/new`, (request, reply) => showNew(request, reply));

  app.post(
    `${SERVICES}/new`,
    {
      schema: { body: newBody, response: { 201: dataOf(serviceAdminSchema) } },
      config: {
        failurePage: (request, reply, error) => showNew(request, reply, refusedForm(request, error, FIELDS)),
      },
    },
    async (request, reply) => {
      const { performers, shown_performers: _none, ...body } = request.body;
      const { tenantId } = request;
      const service = await changes.make(request, { action: 'service_added', subject: body.name }, () =>
        services.add(tenantId, body),
      );
      const subject = `${body.name}, who performs it`;
      const isWhole =
        performers.length === 0 ||
        (await succeeds(
          changes.make(request, { action: 'service_changed', subject }, () =>
            setPerformers(scheduling, tenantId, { serviceId: service.id, add: performers, remove: [] }),
          ),
        ));
      reply.code(201);
      return isWhole
        ? answerSaved(request, reply, { data: service, notice: 'service-added', to: SERVICES })
        : answerSaved(request, reply, {
            ...{ data: service, notice: 'performers-missing' },
            to: `${SERVICES}/${service.id}`,
          });
    },
  );

  const config = { resource: 'Service' };
  app.get(SINGLE, { config, schema: single }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    return ok((await services.find(request.tenantId, request.params.id)).record);
  });

  app.post(
    SINGLE,
    {
      schema: { ...single, body: changeBody },
      config: {
        ...config,
        failurePage: (request, reply, error) => show(request, reply, refusedForm(request, error, FIELDS)),
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { performers, shown_performers, version, ...fields } = body;
      const { record } = await services.find(tenantId, params.id);
      const data = await changes.make(
        request,
        { action: 'service_changed', subject: record.name },
        async () => {
          const changed = await services.change(tenantId, params.id, fields, version);
          await setPerformers(scheduling, tenantId, {
            serviceId: params.id,
            add: performers.filter((id) => !shown_performers.includes(id)),
            remove: shown_performers.filter((id) => !performers.includes(id)),
          });
          return changed;
        },
      );
      return answerSaved(request, reply, { data, notice: 'service-saved', to: SERVICES });
    },
  );

  endingRoutes(app, {
    ...{ changes, records: services, single: SINGLE, list: SERVICES, resource: 'Service', kind: 'service' },
    schema: serviceAdminSchema,
    showRefusal: (request, reply, error) => show(request, reply, EMPTY_FORM, refusalOf(error)),
  });
}

/** Whether it was done. The page says what is missing, and it can be done again there. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

import { dataOf, pathId, type ServiceAdmin, serviceAdminSchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readAmount } from '../../domain/business/amount.ts';
import { activeOf, quotaUse } from '../../domain/quota-use.ts';
import { type Region, regionOf } from '../../domain/shared/region.ts';
import { sentForm } from '../../domain/shared/sent-form.ts';
import { moneyText } from '../../domain/shared/words.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { SERVICES } from '../../views/business/frame.view.ts';
import { newServicePage, servicePage } from '../../views/business/service.view.ts';
import { servicesPage } from '../../views/business/services.view.ts';
import { EMPTY_FORM, isSent } from '../../views/shared/page-context.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { answerChange } from '../shared/changes.ts';
import { doneOf } from '../shared/notices.ts';
import { refusalOf, refusedRecordForm } from '../shared/refusals.ts';
import { endingRoutes } from './ending.routes.ts';
import { changeServiceForm, newServiceForm, SERVICE_FIELDS } from './service-form.ts';

const SINGLE = `${SERVICES}/:id` as const;
const single = { params: pathId, response: { 200: dataOf(serviceAdminSchema) } };

/** Repeats the saved price, so that people see how what they typed was read. */
function costNotice(
  { query }: FastifyRequest,
  services: ServiceAdmin[] | null,
  region: Region,
): string | null {
  const done = doneOf(sentForm.parse(query).done);
  const word = done && { 'service-added': 'Added', 'service-saved': 'Saved' }[done.notice as string];
  const service = services?.find(({ id }) => id === done?.id);
  return word && service
    ? `${word}. ${service.name} costs ${moneyText(region, service.price, service.currency)}.`
    : null;
}

/** What the business offers. */
export function serviceRoutes(app: App, deps: AreaDeps): void {
  const { gateway, scheduling, changes, pages } = deps;
  const { services, staff } = scheduling;

  app.get(
    SERVICES,
    { schema: { response: { 200: dataOf(serviceAdminSchema.array()) } } },
    async (request, reply) => {
      const { tenantId } = request;
      if (wantsJson(request)) return ok(await services.list(tenantId));
      const [all, members, tenant, bookability] = await Promise.all([
        orNull(services.list(tenantId)),
        orNull(staff.list(tenantId)),
        orNull(gateway.tenant(tenantId)),
        orNull(scheduling.bookability(tenantId)),
      ]);
      const quota = quotaUse('services', tenant, activeOf(all));
      const region = regionOf({ tenant });
      const context = pages.context(request);
      const notice = costNotice(request, all, region) ?? context.notice;
      return pages.send(
        reply,
        servicesPage({ ...context, notice }, { services: all, staff: members, region, quota, bookability }),
      );
    },
  );

  /** What the forms need beside the service. */
  const surroundings = async ({ tenantId }: FastifyRequest) => {
    const [members, tenant] = await Promise.all([
      orNull(staff.list(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    return { staff: members, tenant, region: regionOf({ tenant }), currency: tenant?.currency ?? null };
  };
  const showNew = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const [{ tenant, ...around }, all] = await Promise.all([
      surroundings(request),
      orNull(services.list(request.tenantId)),
    ]);
    const quota = quotaUse('services', tenant, activeOf(all));
    return pages.send(reply, newServicePage(pages.context(request), { form, quota, ...around }));
  };
  const show = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM, refusal?: string) => {
    const { id } = request.params as { id: number };
    const found = services.find(request.tenantId, id);
    // A form that was sent is shown again even where the service itself can't be.
    const [service, around, bookability] = await Promise.all([
      isSent(form) ? orNull(found) : found,
      surroundings(request),
      orNull(scheduling.bookability(request.tenantId)),
    ]);
    const page = { id, service, form, refusal, bookability, ...around };
    return pages.send(reply, servicePage(pages.context(request), page));
  };

  /** Reads a typed price by the business's currency and country. */
  const readPrice = async (request: FastifyRequest) => {
    const body = request.body as Record<string, unknown> | null | undefined;
    if (typeof body?.price !== 'string') return;
    const tenant = await orNull(gateway.tenant(request.tenantId));
    request.body = { ...body, price: readAmount(body.price, tenant?.currency ?? null, regionOf({ tenant })) };
  };

  app.get(`${SERVICES}/new`, (request, reply) => showNew(request, reply));

  app.post(
    `${SERVICES}/new`,
    {
      preValidation: readPrice,
      schema: { body: newServiceForm, response: { 201: dataOf(serviceAdminSchema) } },
      config: {
        failurePage: (request, reply, error) =>
          showNew(request, reply, refusedRecordForm(request, error, SERVICE_FIELDS)),
      },
    },
    async (request, reply) => {
      const { performers, shown_performers: _none, ...fields } = request.body;
      const body = { ...fields, performers: { add: performers, remove: [] } };
      const data = await changes.make(request, { action: 'service_added', subject: body.name }, () =>
        services.add(request.tenantId, body),
      );
      reply.code(201);
      return answerChange(request, reply, { data, notice: 'service-added', id: data.id, to: SERVICES });
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
      preValidation: readPrice,
      schema: { ...single, body: changeServiceForm },
      config: {
        ...config,
        failurePage: (request, reply, error) =>
          show(request, reply, refusedRecordForm(request, error, SERVICE_FIELDS)),
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { performers, shown_performers, version, ...fields } = body;
      const { record } = await services.find(tenantId, params.id);
      const change = {
        ...fields,
        performers: {
          add: performers.filter((id) => !shown_performers.includes(id)),
          remove: shown_performers.filter((id) => !performers.includes(id)),
        },
      };
      const data = await changes.make(request, { action: 'service_changed', subject: record.name }, () =>
        services.change(tenantId, params.id, change, version),
      );
      return answerChange(request, reply, { data, notice: 'service-saved', id: data.id, to: SERVICES });
    },
  );

  endingRoutes(app, {
    ...{ changes, records: services, single: SINGLE, list: SERVICES, resource: 'Service', kind: 'service' },
    schema: serviceAdminSchema,
    showRefusal: (request, reply, error) => show(request, reply, EMPTY_FORM, refusalOf(error)),
  });
}

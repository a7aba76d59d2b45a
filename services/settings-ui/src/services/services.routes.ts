import {
  dataOf,
  pathId,
  positiveId,
  type ServiceAdmin,
  serviceAdminSchema,
  serviceInput,
  updateServiceBody,
} from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { endingRoutes } from '../business/end-record.ts';
import { answerChange } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import {
  checkedIds,
  fromForm,
  seenVersion,
  typedNumber,
  typedText,
  typedTextOrNone,
} from '../forms/form-values.rules.ts';
import { sentForm } from '../forms/sent-form.rules.ts';
import { categoriesOf } from '../records/categories.rules.ts';
import { activeOf, quotaUse } from '../records/quota-use.rules.ts';
import { SERVICES } from '../records/record-form.view.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import { moneyText } from '../region/words.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText, recordFormWithErrors } from '../ui/form-errors.ts';
import { doneOf } from '../ui/notices.rules.ts';
import { EMPTY_FORM, isSent } from '../ui/page-context.ts';
import { readAmountField, withReadPrice } from './amount.rules.ts';
import { newServicePage, servicePage } from './service.view.ts';
import { servicesPage } from './services.view.ts';

const SERVICE_FIELDS = [
  'name',
  'description',
  'duration_minutes',
  'price',
  'buffer_before_minutes',
  'buffer_after_minutes',
  'performers',
  'category',
];
const typed = {
  name: typedText,
  description: typedTextOrNone,
  category: typedTextOrNone,
  duration_minutes: typedNumber,
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
const price = readAmountField(serviceInput.shape.price);
const newServiceForm = fromForm(serviceInput.extend({ ...performing, price }), typed);
const changeServiceForm = fromForm(
  updateServiceBody.extend({ ...performing, ...seenVersion, price: price.optional() }),
  typed,
);

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
      const { session: by } = request;
      if (wantsJson(request)) return ok(await services.list(by));
      const [all, members, tenant, bookability] = await Promise.all([
        orNull(services.list(by)),
        orNull(staff.list(by)),
        orNull(gateway.tenant(by)),
        orNull(scheduling.bookability(by)),
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
  const surroundings = async ({ session: by }: FastifyRequest) => {
    const [members, all, tenant] = await Promise.all([
      orNull(staff.list(by)),
      orNull(services.list(by)),
      orNull(gateway.tenant(by)),
    ]);
    return {
      staff: members,
      services: all,
      categories: categoriesOf(all ?? []),
      tenant,
      region: regionOf({ tenant }),
      currency: tenant?.currency ?? null,
    };
  };
  const showNew = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const around = await surroundings(request);
    const quota = quotaUse('services', around.tenant, activeOf(around.services));
    return pages.send(reply, newServicePage(pages.context(request), { form, quota, ...around }));
  };
  const show = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM, refusal?: string) => {
    const { id } = request.params as { id: number };
    const found = services.find(request.session, id);
    // A form that was sent is shown again even where the service itself can't be.
    const [service, around, bookability] = await Promise.all([
      isSent(form) ? orNull(found) : found,
      surroundings(request),
      orNull(scheduling.bookability(request.session)),
    ]);
    const page = { id, service, form, refusal, bookability, ...around };
    return pages.send(reply, servicePage(pages.context(request), page));
  };

  /** Reads a typed price by the business's currency and country. */
  const readPrice = async (request: FastifyRequest) => {
    request.body = await withReadPrice(request.body, async () => {
      const tenant = await orNull(gateway.tenant(request.session));
      return { currency: tenant?.currency ?? null, region: regionOf({ tenant }) };
    });
  };

  app.get(`${SERVICES}/new`, (request, reply) => showNew(request, reply));

  app.post(
    `${SERVICES}/new`,
    {
      preValidation: readPrice,
      schema: { body: newServiceForm, response: { 201: dataOf(serviceAdminSchema) } },
      config: {
        errorPage: (request, reply, error) =>
          showNew(request, reply, recordFormWithErrors(request, error, SERVICE_FIELDS)),
      },
    },
    async (request, reply) => {
      const { performers, shown_performers: _none, ...fields } = request.body;
      const body = { ...fields, performers: { add: performers, remove: [] } };
      const data = await changes.make(request, { action: 'service_added', subject: body.name }, () =>
        services.add(request.session, body),
      );
      reply.code(201);
      return answerChange(request, reply, { data, notice: 'service-added', id: data.id, to: SERVICES });
    },
  );

  const config = { resource: 'Service' };
  app.get(SINGLE, { config, schema: single }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    return ok((await services.find(request.session, request.params.id)).record);
  });

  app.post(
    SINGLE,
    {
      preValidation: readPrice,
      schema: { ...single, body: changeServiceForm },
      config: {
        ...config,
        errorPage: (request, reply, error) =>
          show(request, reply, recordFormWithErrors(request, error, SERVICE_FIELDS)),
      },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { performers, shown_performers, version, ...fields } = body;
      const { record } = await services.find(by, params.id);
      const change = {
        ...fields,
        performers: {
          add: performers.filter((id) => !shown_performers.includes(id)),
          remove: shown_performers.filter((id) => !performers.includes(id)),
        },
      };
      const data = await changes.make(request, { action: 'service_changed', subject: record.name }, () =>
        services.change(by, params.id, change, version),
      );
      return answerChange(request, reply, { data, notice: 'service-saved', id: data.id, to: SERVICES });
    },
  );

  endingRoutes(app, {
    changes,
    records: services,
    single: SINGLE,
    list: SERVICES,
    resource: 'Service',
    kind: 'service',
    schema: serviceAdminSchema,
    showError: (request, reply, error) => show(request, reply, EMPTY_FORM, errorText(error)),
  });
}

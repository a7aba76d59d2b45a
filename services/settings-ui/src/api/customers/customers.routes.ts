import { addAbortSignal, Readable } from 'node:stream';
import { customerListEntry, customerSchema, dataOf, pageOf } from '@frontdesk/contracts';
import { type App, type AppError, page } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CUSTOMER_ADDED, FRONT_DESK } from '../../domain/customers/added-customer.ts';
import {
  CUSTOMERS,
  CUSTOMERS_PER_PAGE,
  customerAddress,
  customersFilter,
  customersQuery,
  newCustomerQuery,
} from '../../domain/customers/customers-query.ts';
import { textsIn } from '../../domain/shared/addresses.ts';
import { NO_REGION } from '../../domain/shared/region.ts';
import { plural } from '../../domain/shared/words.ts';
import { createSharedReads } from '../../state/shared-reads.ts';
import { exportCustomers } from '../../use-cases/export-customers.ts';
import { listCustomers, loadCustomers } from '../../use-cases/load-customers.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { newCustomerPage } from '../../views/customers/customer-form.view.ts';
import { customersPage } from '../../views/customers/customers.view.ts';
import { EMPTY_FORM, type FormState, textOf } from '../../views/shared/page-context.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { answerChange } from '../shared/changes.ts';
import { refusedForm } from '../shared/refusals.ts';
import { customerRoutes } from './customer.routes.ts';
import { CUSTOMER_FIELDS, newCustomerForm } from './customer-form.ts';

/** People choose among the stages; a new one may be missing there for so long. */
const STAGES_EVERY_MS = 5_000;

interface CustomersDeps extends AreaDeps {
  exportTimeoutMs: number;
  /** Whether the request's session still lasts. */
  isSignedIn: (request: FastifyRequest) => Promise<boolean>;
}

/** The customers of a business: their list, a file of it, new ones, and each of them. */
export function customersRoutes(app: App, deps: CustomersDeps): void {
  const { customers, changes, pages, exportTimeoutMs, isSignedIn } = deps;
  const stages = createSharedReads<readonly string[]>({ everyMs: STAGES_EVERY_MS });
  const stagesOf = (tenantId: number) =>
    orNull(stages.get(String(tenantId), () => customers.stages(tenantId)));

  app.get(
    CUSTOMERS,
    {
      config: { withoutQuery: 'Show all customers' },
      schema: { querystring: customersQuery.loose(), response: { 200: pageOf(customerListEntry) } },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const query = customersQuery.parse(request.query);
      if (wantsJson(request)) {
        const { rows, ...meta } = await listCustomers(deps, tenantId, query);
        return page(rows, { ...meta, page: Number(query.page ?? 1), per_page: CUSTOMERS_PER_PAGE });
      }
      const loaded = await loadCustomers({ ...deps, stagesOf }, tenantId, query);
      return pages.send(reply, customersPage(pages.context(request), { ...loaded, query }));
    },
  );

  app.get(
    `${CUSTOMERS}/export.csv`,
    {
      config: { isDownload: true, withoutQuery: 'Export all customers' },
      // It would read the whole list for nothing.
      exposeHeadRoute: false,
      schema: { querystring: customersFilter.loose() },
    },
    async (request, reply) => {
      const filter = customersFilter.parse(request.query);
      let count = 0;
      const lines = exportCustomers(customers, request.tenantId, filter, {
        onLines: (more) => {
          count += more;
        },
        isSignedIn: () => isSignedIn(request),
      });
      const what = {
        ...{ action: 'customers_exported' as const, subject: '' },
        subjectAtEnd: () => plural(NO_REGION, count, 'customer'),
      };
      const pieces = changes.handOut(request, what, lines);
      // Where the first ones can't be had, that is a page of its own; later, the download breaks off.
      const first = await pieces.next();
      const file = addAbortSignal(
        AbortSignal.timeout(exportTimeoutMs),
        Readable.from(beginning(first, pieces)),
      );
      return reply
        .header('content-disposition', 'attachment; filename="customers.csv"')
        .type('text/csv; charset=utf-8')
        .send(file);
    },
  );

  const showNew = async (request: FastifyRequest, reply: FastifyReply, form: FormState, error?: AppError) => {
    const { tenantId } = request;
    const [known, holder] = await Promise.all([
      stagesOf(tenantId),
      error?.errors?.phone ? orNull(holderOf(tenantId, textOf(form, 'phone'))) : null,
    ]);
    const shown = { form, stages: known ?? [], holder };
    return pages.send(reply, newCustomerPage(pages.context(request), shown));
  };
  /** The customer with this number, where there is one alone that it fits. */
  const holderOf = async (tenantId: number, phone: string) => {
    if (!newCustomerQuery.safeParse({ phone }).success || phone.trim() === '') return null;
    const { rows, total } = await customers.list(tenantId, { search: phone, per_page: '1' });
    return total === 1 ? (rows[0] ?? null) : null;
  };

  app.get(
    `${CUSTOMERS}/new`,
    {
      config: { withoutQuery: 'Start with an empty form' },
      schema: { querystring: newCustomerQuery.loose() },
    },
    (request, reply) => {
      const known = textsIn(newCustomerQuery.parse(request.query));
      return showNew(request, reply, { ...EMPTY_FORM, values: { segment: 'lead', ...known } });
    },
  );

  app.post(
    `${CUSTOMERS}/new`,
    {
      schema: { body: newCustomerForm, response: { 201: dataOf(customerSchema) } },
      config: {
        failurePage: (request, reply, error) =>
          showNew(request, reply, refusedForm(request, error, CUSTOMER_FIELDS), error),
      },
    },
    async (request, reply) => {
      const body = { ...request.body, source: request.body.source ?? FRONT_DESK };
      const data = await changes.make(request, CUSTOMER_ADDED, () => customers.add(request.tenantId, body));
      reply.code(201);
      return answerChange(request, reply, { data, notice: 'customer-added', to: customerAddress(data.id) });
    },
  );

  customerRoutes(app, { ...deps, stagesOf });
}

async function* beginning(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (!first.done) yield first.value;
  yield* rest;
}

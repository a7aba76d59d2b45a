import { addAbortSignal, Readable } from 'node:stream';
import { customerListEntry, customerSchema, dataOf, MAX_PER_PAGE, pageOf } from '@frontdesk/contracts';
import { type App, page } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import type { CustomersClient } from '../clients/customers.client.ts';
import { orNull } from '../clients/or-null.ts';
import { createSharedReads } from '../live/shared-reads.cache.ts';
import {
  CUSTOMERS,
  CUSTOMERS_PER_PAGE,
  type CustomersFilter,
  customerAddress,
  customersFilter,
  customersQuery,
  newCustomerQuery,
} from '../records/customers-query.rules.ts';
import { NO_REGION } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import { type By, notSignedIn } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { textsIn } from '../ui/addresses.rules.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState } from '../ui/page-context.ts';
import { CUSTOMER_ADDED, FRONT_DESK } from './added-customer.rules.ts';
import { customerRoutes } from './customer.routes.ts';
import { CUSTOMER_FIELDS, newCustomerForm } from './customer-form.rules.ts';
import { newCustomerPage } from './customer-form.view.ts';
import { customersPage } from './customers.view.ts';
import { customerLines } from './customers-csv.rules.ts';
import { listCustomers, loadCustomers } from './load-customers.ts';

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
  const stagesOf = (by: By) =>
    orNull(stages.get(`${by.tenantId} ${by.scopes.join()}`, () => customers.stages(by)));

  app.get(
    CUSTOMERS,
    {
      config: { withoutQuery: 'Show all customers' },
      schema: { querystring: customersQuery.loose(), response: { 200: pageOf(customerListEntry) } },
    },
    async (request, reply) => {
      const { session: by } = request;
      const query = customersQuery.parse(request.query);
      if (wantsJson(request)) {
        const { rows, ...meta } = await listCustomers(deps, by, query);
        return page(rows, { ...meta, page: Number(query.page ?? 1), per_page: CUSTOMERS_PER_PAGE });
      }
      const loaded = await loadCustomers({ ...deps, stagesOf }, by, query);
      return pages.send(reply, customersPage(pages.context(request), { ...loaded, query }));
    },
  );

  app.get(
    `${CUSTOMERS}/export.csv`,
    {
      config: { isDownload: true, needsConfirmation: true, withoutQuery: 'Export all customers' },
      // It would read the whole list for nothing.
      exposeHeadRoute: false,
      schema: { querystring: customersFilter.loose() },
    },
    async (request, reply) => {
      const filter = customersFilter.parse(request.query);
      let count = 0;
      const lines = exportCustomers(customers, request.session, filter, {
        onLines: (more) => {
          count += more;
        },
        isSignedIn: () => isSignedIn(request),
      });
      const what = {
        action: 'customers_exported' as const,
        subject: '',
        exported: () => count,
        subjectOf: (exported: number) => plural(NO_REGION, exported, 'customer'),
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

  const showNew = async (request: FastifyRequest, reply: FastifyReply, form: FormState) => {
    const stages = (await stagesOf(request.session)) ?? [];
    return pages.send(reply, newCustomerPage(pages.context(request), { form, stages }));
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
        errorPage: (request, reply, error) =>
          showNew(request, reply, formWithErrors(request, error, CUSTOMER_FIELDS)),
      },
    },
    async (request, reply) => {
      const body = { ...request.body, source: request.body.source ?? FRONT_DESK };
      const data = await changes.make(request, CUSTOMER_ADDED, () => customers.add(request.session, body));
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

/**
 * All customers that the filter lets through as lines of a CSV file, a page at a time: however many they are, one page
 * is in memory. They come in the order in which they were added, which changes of customers don't disturb. `onLines`
 * hears how many there are. The file breaks off where `isSignedIn` says no: it is asked again before each page.
 * @throws AppError `unauthorized` then; where crm is away
 */
async function* exportCustomers(
  customers: Pick<CustomersClient, 'list'>,
  by: By,
  filter: CustomersFilter,
  { onLines, isSignedIn }: { onLines: (count: number) => void; isSignedIn: () => Promise<boolean> },
): AsyncGenerator<string> {
  let cursor: string | undefined;
  let isFirst = true;
  do {
    if (!isFirst && !(await isSignedIn())) throw notSignedIn();
    const query = {
      ...textsIn(filter),
      sort: 'created_at',
      per_page: String(MAX_PER_PAGE),
      ...(cursor && { cursor }),
    };
    const { rows, next_cursor } = await customers.list(by, query);
    yield customerLines(rows, { isFirst });
    onLines(rows.length);
    isFirst = false;
    cursor = next_cursor;
  } while (cursor !== undefined);
}

import { customerSchema, dataOf, pathId } from '@frontdesk/contracts';
import { parsePhone } from '@frontdesk/phone';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import { drawnOf } from '../forms/merged-form.rules.ts';
import { CUSTOMERS, customerAddress, customerQuery } from '../records/customers-query.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, isSent, textOf } from '../ui/page-context.ts';
import { customerPage } from './customer.view.ts';
import { CUSTOMER_FIELDS, changeCustomerForm } from './customer-form.rules.ts';
import { editCustomerPage } from './customer-form.view.ts';
import { loadCustomer } from './load-customer.ts';
import type { StagesOf } from './load-customers.ts';
import { mergeRoutes } from './merge.routes.ts';

const SINGLE = `${CUSTOMERS}/:id` as const;
const config = { resource: 'Customer', recordAddress: customerAddress };
const single = { params: pathId, response: { 200: dataOf(customerSchema) } };

/** One customer: what is known of it, and its form. */
export function customerRoutes(app: App, deps: AreaDeps & { stagesOf: StagesOf }): void {
  const { gateway, customers, changes, pages, stagesOf } = deps;

  app.get(
    SINGLE,
    {
      config: { ...config, withoutQuery: 'Show the customer' },
      schema: { ...single, querystring: customerQuery.loose() },
    },
    async (request, reply) => {
      const { session: by, params } = request;
      if (wantsJson(request)) return ok((await customers.find(by, params.id)).record);
      const query = customerQuery.parse(request.query);
      const loaded = await loadCustomer(deps, by, params.id, query);
      const page = { ...loaded, query, now: Date.now() };
      return pages.send(reply, customerPage(pages.context(request), page));
    },
  );

  const showForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form = EMPTY_FORM,
    newPhone?: string,
  ) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const found = customers.find(by, id);
    // A form that was sent is shown again even where the customer can't be.
    const [customer, stages, tenant] = await Promise.all([
      isSent(form) ? orNull(found) : found,
      stagesOf(by),
      orNull(gateway.tenant(by)),
    ]);
    const page = { id, customer, form, stages: stages ?? [], region: regionOf({ tenant }), newPhone };
    return pages.send(reply, editCustomerPage(pages.context(request), page));
  };

  app.get(`${SINGLE}/edit`, { config, schema: { params: pathId } }, (request, reply) =>
    showForm(request, reply),
  );

  app.post(
    SINGLE,
    {
      schema: { ...single, body: changeCustomerForm },
      config: {
        ...config,
        errorPage: (request, reply, error) =>
          showForm(request, reply, recordFormWithErrors(request, error, CUSTOMER_FIELDS)),
      },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { version, confirmed_phone, ...fields } = body;
      const { phone } = fields;
      const form = { ...EMPTY_FORM, values: request.sent ?? {} };
      const isSettled = phone === confirmed_phone || phone === drawnOf(textOf(form, 'drawn')).phone;
      if (phone !== undefined && !isSettled && !wantsJson(request))
        if (await isOtherNumber(by, params.id, phone)) return showForm(request, reply, form, phone);
      // The log outlives a customer, so it says the number and not the name.
      const change = {
        action: 'customer_changed' as const,
        subject: `Customer ${params.id}`,
        record: params.id,
      };
      const data = await changes.make(request, change, () =>
        customers.change(by, params.id, fields, version),
      );
      return answerChange(request, reply, { data, notice: 'customer-saved', to: customerAddress(params.id) });
    },
  );

  mergeRoutes(app, deps);

  /** True for a different, valid number that nobody else has. Anything else is refused at once. */
  async function isOtherNumber(by: By, id: number, phone: string): Promise<boolean> {
    const [{ record }, { country }] = await Promise.all([customers.find(by, id), gateway.tenant(by)]);
    const [before, after] = [record.phone, phone].map((text) => parsePhone(text, country)?.e164);
    if (after === undefined || after === before) return false;
    const { total } = await customers.list(by, { phone, per_page: '1' });
    return total === 0;
  }
}

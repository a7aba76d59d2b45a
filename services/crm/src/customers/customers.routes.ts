import { type Customer, crmRoutes, type operations } from '@frontdesk/contracts';
import type { Database, QuotaGate } from '@frontdesk/database';
import { type PhoneNumber, parsePhone, parseQueriedPhone } from '@frontdesk/phone';
import {
  type App,
  etagOf,
  invalid,
  matching,
  ok,
  page,
  requireScopes,
  route,
  versioned,
} from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changeCustomer } from './change-customer.ts';
import {
  createCustomer,
  findOrCreateCustomer,
  newCustomer,
  noPhone,
  quotaLeftOf,
} from './create-customer.ts';
import { findCustomerWithTotals } from './customer.repository.ts';
import { customerListRecord, customerRecord } from './customer.rules.ts';
import { listCustomers } from './customer-list.repository.ts';
import { mergeCustomers } from './merge-customers.ts';
import { customerNotFound } from './merged-customer.repository.ts';
import { isPhoneTerm } from './search.rules.ts';

interface CustomersDeps {
  database: Database;
  tenants: TenantDirectory;
}

/** Totals change without a new version, so the ETag covers the whole record. */
const show = (reply: FastifyReply, record: Customer, version: number) =>
  versioned(reply, version, record, record);

type ParsePhone = (text: string, country: string) => PhoneNumber | null;

/** A phone that is none, beside the faults that the schemas find. */
const phoneFaults =
  (part: 'body' | 'query', parse: ParsePhone, tenants: TenantDirectory) =>
  async (request: FastifyRequest) => {
    const { phone } = (request[part] ?? {}) as { phone?: unknown };
    if (typeof phone !== 'string') return {};
    const { country } = await tenants.find(request.tenantId);
    return parse(phone, country) ? {} : noPhone(country);
  };

/** For integrators, or for those who run a business. */
type Routes = Pick<
  typeof operations | typeof crmRoutes,
  'listCustomers' | 'getCustomer' | 'createCustomer' | 'updateCustomer'
>;

/** The list and one customer. */
export function customerRoutes(app: App, routes: Routes, { database, tenants }: CustomersDeps): void {
  route(
    app,
    routes.listCustomers,
    async ({ query, tenantId }) => {
      const { phone, search = '' } = query;
      const isNumber = phone !== undefined || isPhoneTerm(search);
      const country = isNumber ? (await tenants.find(tenantId)).country : '';
      const numberOf = (text: string) => parseQueriedPhone(text, country)?.e164;
      const numbers = {
        phone: phone === undefined ? undefined : numberOf(phone),
        searched: isPhoneTerm(search) ? numberOf(search) : undefined,
      };
      if (phone !== undefined && numbers.phone === undefined) throw invalid(noPhone(country));
      const { rows, ...meta } = await listCustomers(database, tenantId, query, numbers);
      return page(rows.map(customerListRecord), { ...query, ...meta });
    },
    { moreFieldFaults: phoneFaults('query', parseQueriedPhone, tenants) },
  );

  route(app, routes.getCustomer, async ({ params, tenantId }, reply) => {
    const { currency } = await tenants.find(tenantId);
    const scope = database.forTenant(tenantId);
    const customer = await findCustomerWithTotals(scope, params.id, currency);
    if (!customer) throw await customerNotFound(scope, params.id);
    return show(reply, customerRecord(customer, customer, currency), customer.version);
  });
}

/** New customers and changes of them. */
export function customerChangeRoutes(
  app: App,
  routes: Routes,
  { database, tenants, gate }: CustomersDeps & { gate: QuotaGate },
): void {
  route(
    app,
    routes.createCustomer,
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const returnsExisting = request.query.if_exists === 'return';
      // It reads whoever is found: nothing of them changes.
      if (returnsExisting) requireScopes(request.identity, ['customers:read']);
      return idempotent({ request, reply, scope }, async (transaction) => {
        const tenant = await tenants.find(request.tenantId);
        const values = newCustomer(request.body, tenant.country);
        const context = { currency: tenant.currency, quotaLeft: await quotaLeftOf(scope, tenant, gate) };
        return transaction(async (tx) => {
          const { record, version, isNew } = returnsExisting
            ? await findOrCreateCustomer(tx, values, context)
            : { ...(await createCustomer(tx, values, context)), isNew: true };
          return { status: isNew ? 201 : 200, body: ok(record), headers: { etag: etagOf(version, record) } };
        });
      });
    },
    { moreFieldFaults: phoneFaults('body', parsePhone, tenants) },
  );

  route(app, routes.updateCustomer, async (request, reply) => {
    const { tenantId, params, body } = request;
    const tenant = await tenants.find(tenantId);
    const change = { id: params.id, body, tenant, requireVersion: matching(request) };
    const { record, version } = await changeCustomer(database.forTenant(tenantId), change);
    return show(reply, record, version);
  });
}

/** For those who run a business. */
export function mergeRoute(app: App, { database, tenants }: CustomersDeps): void {
  route(app, crmRoutes.mergeCustomer, async (request, reply) => {
    const { tenantId, params, body } = request;
    const { currency } = await tenants.find(tenantId);
    const merge = { id: params.id, body, currency, requireVersion: matching(request) };
    const { record, version } = await mergeCustomers(database.forTenant(tenantId), merge);
    return show(reply, record, version);
  });
}

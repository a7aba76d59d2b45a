import { idempotent } from '@frontdesk/chassis';
import {
  type Customer,
  createCustomerBody,
  createCustomerQuery,
  customerListEntry,
  customerSchema,
  dataOf,
  listCustomersQuery,
  pageOf,
  pathId,
  updateCustomerBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type PhoneNumber, parsePhone, parseQueriedPhone } from '@frontdesk/phone';
import { type App, etagOf, invalid, matching, notFound, ok, page, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCustomerWithTotals } from '../data/customer.repository.ts';
import { listCustomers } from '../data/customer-list.repository.ts';
import { customerListRecord, customerRecord } from '../domain/customer.ts';
import { isPhoneTerm } from '../domain/search.ts';
import { changeCustomer } from '../use-cases/change-customer.ts';
import { createCustomer, NO_PHONE, newCustomer } from '../use-cases/create-customer.ts';
import { findOrCreateCustomer } from '../use-cases/find-or-create-customer.ts';

const config = { resource: 'Customer' };

interface CustomersDeps {
  database: Database;
  tenants: TenantDirectory;
}

/** What appointments add up to changes without another version. */
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
    return parse(phone, country) ? {} : NO_PHONE;
  };

/** The list and one customer, for integrators or for those who run a business. */
export function customerRoutes(app: App, list: string, { database, tenants }: CustomersDeps): void {
  app.get(
    list,
    {
      config: { ...config, moreFaults: phoneFaults('query', parseQueriedPhone, tenants) },
      schema: { querystring: listCustomersQuery, response: { 200: pageOf(customerListEntry) } },
    },
    async ({ query, tenantId }) => {
      const { phone, search = '' } = query;
      const isNumber = phone !== undefined || isPhoneTerm(search);
      const country = isNumber ? (await tenants.find(tenantId)).country : '';
      const numberOf = (text: string) => parseQueriedPhone(text, country)?.e164;
      const numbers = {
        phone: phone === undefined ? undefined : numberOf(phone),
        searched: isPhoneTerm(search) ? numberOf(search) : undefined,
      };
      if (phone !== undefined && numbers.phone === undefined) throw invalid(NO_PHONE);
      const { rows, ...meta } = await listCustomers(database, tenantId, query, numbers);
      return page(rows.map(customerListRecord), { ...query, ...meta });
    },
  );

  app.get(
    `${list}/:id`,
    { config, schema: { params: pathId.loose(), response: { 200: dataOf(customerSchema) } } },
    async ({ params, tenantId }, reply) => {
      const { currency } = await tenants.find(tenantId);
      const customer = await findCustomerWithTotals(database.forTenant(tenantId), params.id, currency);
      if (!customer) throw notFound('Customer');
      return show(reply, customerRecord(customer, customer, currency), customer.version);
    },
  );
}

/** New customers and changes of them, for the same. */
export function customerChangeRoutes(app: App, list: string, { database, tenants }: CustomersDeps): void {
  app.post(
    list,
    {
      config: { ...config, moreFaults: phoneFaults('body', parsePhone, tenants) },
      schema: {
        body: createCustomerBody,
        querystring: createCustomerQuery,
        response: { 200: dataOf(customerSchema), 201: dataOf(customerSchema) },
      },
    },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const isFound = request.query.if_exists === 'return';
      return idempotent({ request, reply, scope }, async (transaction) => {
        const { country, currency } = await tenants.find(request.tenantId);
        const values = newCustomer(request.body, country);
        return transaction(async (tx) => {
          const { record, version, isNew } = isFound
            ? await findOrCreateCustomer(tx, values, currency)
            : { ...(await createCustomer(tx, values, currency)), isNew: true };
          return { status: isNew ? 201 : 200, body: ok(record), headers: { etag: etagOf(version, record) } };
        });
      });
    },
  );

  app.patch(
    `${list}/:id`,
    {
      config,
      schema: { params: pathId.loose(), body: updateCustomerBody, response: { 200: dataOf(customerSchema) } },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const { currency } = await tenants.find(tenantId);
      const change = { id: params.id, body, currency, requireVersion: matching(request) };
      const { record, version } = await database
        .forTenant(tenantId)
        .transaction((tx) => changeCustomer(tx, change));
      return show(reply, record, version);
    },
  );
}

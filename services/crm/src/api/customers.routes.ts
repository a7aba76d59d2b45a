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
import { type App, etagOf, matching, notFound, ok, page, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply } from 'fastify';
import { findCustomerWithTotals } from '../data/customer.repository.ts';
import { listCustomers } from '../data/customer-list.repository.ts';
import { customerListRecord, customerRecord } from '../domain/customer.ts';
import { changeCustomer } from '../use-cases/change-customer.ts';
import { createCustomer, newCustomer } from '../use-cases/create-customer.ts';
import { findOrCreateCustomer } from '../use-cases/find-or-create-customer.ts';

const config = { resource: 'Customer' };

interface CustomersDeps {
  database: Database;
  tenants: TenantDirectory;
}

/** What appointments add up to changes without another version. */
const show = (reply: FastifyReply, record: Customer, version: number) =>
  versioned(reply, version, record, record);

/** The list and one customer, for integrators or for those who run a business. */
export function customerRoutes(app: App, list: string, { database, tenants }: CustomersDeps): void {
  app.get(
    list,
    { config, schema: { querystring: listCustomersQuery, response: { 200: pageOf(customerListEntry) } } },
    async ({ query, tenantId }) => {
      const { rows, ...meta } = await listCustomers(database, tenantId, query);
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
      config,
      schema: {
        body: createCustomerBody,
        querystring: createCustomerQuery,
        response: { 200: dataOf(customerSchema), 201: dataOf(customerSchema) },
      },
    },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const { if_exists: variant } = request.query;
      return idempotent({ request, reply, scope, variant }, async (transaction) => {
        const { country, currency } = await tenants.find(request.tenantId);
        const values = newCustomer(request.body, country);
        return transaction(async (tx) => {
          const { record, version, isNew } =
            variant === 'return'
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

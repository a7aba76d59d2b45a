import { z } from 'zod';
import { dataOf, pageOf } from '../../errors/envelope.ts';
import {
  createCustomerBody,
  createCustomerQuery,
  customerByPhoneAnswer,
  customerByPhoneBody,
  customerCounts,
  customerListEntry,
  customerSchema,
  customersByIdsBody,
  customerTotal,
  customerTotalsBody,
  listCustomersQuery,
  mergeCustomerBody,
  mergedCustomer,
  namedCustomer,
  similarCustomersQuery,
  stagesInUse,
  updateCustomerAdminBody,
} from '../../resources/customers.ts';
import { snapshotEntry, snapshotQuery } from '../snapshots.ts';
import { type InternalRoutes, PAGES, TENANT } from './internal-route.ts';
import { eventRoutes, quotaRoutes } from './shared.ts';

const CUSTOMERS = `${TENANT}/customers` as const;
const customers = {
  callers: PAGES,
  scope: 'customers:read',
  record: 'Customer',
  answer: dataOf(customerSchema),
} as const;

export const crmRoutes = {
  listCustomers: {
    scope: 'customers:read',
    method: 'GET',
    path: CUSTOMERS,
    callers: PAGES,
    query: listCustomersQuery,
    answer: pageOf(customerListEntry),
  },
  createCustomer: {
    ...customers,
    scope: 'customers:write',
    method: 'POST',
    path: CUSTOMERS,
    query: createCustomerQuery,
    body: createCustomerBody,
    status: 201,
    otherStatus: { status: 200 },
  },
  getCustomer: { ...customers, method: 'GET', path: `${CUSTOMERS}/{id}` },
  updateCustomer: {
    ...customers,
    scope: 'customers:write',
    method: 'PATCH',
    path: `${CUSTOMERS}/{id}`,
    body: updateCustomerAdminBody,
  },
  mergeCustomer: {
    ...customers,
    scope: 'customers:write',
    method: 'POST',
    path: `${CUSTOMERS}/{id}/merge`,
    body: mergeCustomerBody,
  },
  listSimilarCustomers: {
    scope: 'customers:read',
    method: 'GET',
    path: `${CUSTOMERS}/similar`,
    callers: PAGES,
    query: similarCustomersQuery,
    answer: dataOf(customerListEntry.array()),
  },
  listNamedCustomers: {
    scope: 'customers:read',
    method: 'POST',
    path: `${CUSTOMERS}/by-ids`,
    callers: ['scheduling', ...PAGES],
    body: customersByIdsBody,
    answer: dataOf(namedCustomer.array()),
  },
  findCustomerByPhone: {
    method: 'POST',
    path: `${CUSTOMERS}/by-phone`,
    callers: ['calls'],
    body: customerByPhoneBody,
    status: 201,
    otherStatus: { status: 200 },
    answer: dataOf(customerByPhoneAnswer),
  },
  countCustomers: {
    scope: 'customers:read',
    method: 'GET',
    path: `${TENANT}/customer-counts`,
    callers: PAGES,
    answer: dataOf(customerCounts),
  },
  listPipelineStages: {
    scope: 'customers:read',
    method: 'GET',
    path: `${TENANT}/pipeline-stages`,
    callers: PAGES,
    answer: dataOf(stagesInUse),
  },
  countCustomersOfTenants: {
    method: 'POST',
    path: '/internal/customer-totals',
    callers: ['gateway'],
    body: customerTotalsBody,
    answer: dataOf(customerTotal.array()),
  },
  listSnapshot: {
    method: 'GET',
    path: '/internal/snapshots/customers',
    callers: ['scheduling', 'calls'],
    query: snapshotQuery,
    answer: dataOf(snapshotEntry(z.union([mergedCustomer, customerListEntry])).array()),
  },
  ...quotaRoutes,
  ...eventRoutes,
} as const satisfies InternalRoutes;

import { dataOf, pageOf } from '../errors/envelope.ts';
import {
  createCustomerBody,
  createCustomerQuery,
  customerListEntry,
  customerSchema,
  listCustomersQuery,
  updateCustomerBody,
} from '../resources/customers.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/customers';
const of = { resource: 'customers', scope: 'customers:read', owner: 'crm', record: 'Customer' } as const;
const single = { ...of, status: 200, answer: dataOf(customerSchema), hasEtag: true } as const;

export const customerOperations = {
  listCustomers: {
    id: 'list-customers',
    ...of,
    method: 'GET',
    path: PATH,
    title: 'List customers',
    description: 'The newest first, unless you sort them otherwise.',
    query: listCustomersQuery,
    example: { search: 'mia' },
    status: 200,
    answer: pageOf(customerListEntry),
  },
  createCustomer: {
    ...single,
    id: 'create-customer',
    scope: 'customers:write',
    method: 'POST',
    path: PATH,
    title: 'Add a customer',
    description:
      'A phone number belongs to one customer: a second one with it is refused with 422, or returned with 200 if if_exists says so. To have it returned, the key needs customers:read as well.',
    query: createCustomerQuery,
    body: createCustomerBody,
    example: { name: 'Mia Wong', phone: '+49 30 901820', email: 'mia@example.com' },
    status: 201,
    otherStatus: {
      status: 200,
      description: 'The customer who has the number already; nothing has changed.',
    },
  },
  getCustomer: {
    ...single,
    id: 'get-customer',
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a customer',
    description: 'One customer, with the figures of their appointments.',
  },
  updateCustomer: {
    ...single,
    id: 'update-customer',
    scope: 'customers:write',
    method: 'PATCH',
    path: `${PATH}/{id}`,
    title: 'Change a customer',
    description: 'Only what you send changes. null clears a field that may be empty.',
    body: updateCustomerBody,
    example: { segment: 'vip' },
    takesIfMatch: true,
  },
} as const satisfies Record<string, Operation>;

import {
  createCustomerBody,
  createCustomerQuery,
  customerListEntry,
  customerSchema,
  listCustomersQuery,
  updateCustomerBody,
} from '../customers.ts';
import { dataOf, pageOf } from '../envelope.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/customers';
const resource = 'customers';
const single = { resource, status: 200, answer: dataOf(customerSchema), hasEtag: true } as const;

export const CUSTOMER_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-customers',
    resource,
    method: 'GET',
    path: PATH,
    title: 'List customers',
    description: 'The newest first, unless you sort them otherwise.',
    query: listCustomersQuery,
    example: { search: 'mia' },
    status: 200,
    answer: pageOf(customerListEntry),
  },
  {
    ...single,
    id: 'create-customer',
    method: 'POST',
    path: PATH,
    title: 'Add a customer',
    description:
      'A phone number belongs to one customer: a second one with it is refused with 422, or returned with 200 if if_exists says so.',
    query: createCustomerQuery,
    body: createCustomerBody,
    example: { name: 'Mia Wong', phone: '+49 30 901820', email: 'mia@example.com' },
    status: 201,
    otherStatus: {
      status: 200,
      description: 'The customer who has the number already; nothing has changed.',
    },
  },
  {
    ...single,
    id: 'get-customer',
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a customer',
    description: 'One customer, with the figures of their appointments.',
  },
  {
    ...single,
    id: 'update-customer',
    method: 'PATCH',
    path: `${PATH}/{id}`,
    title: 'Change a customer',
    description: 'Only what you send changes. null clears a field that may be empty.',
    body: updateCustomerBody,
    example: { segment: 'vip' },
    takesIfMatch: true,
  },
];

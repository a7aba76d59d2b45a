import {
  type CustomerListEntry,
  customerListEntry,
  listCustomersQuery,
  MAX_LENGTH,
  textField,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { addressOf, unlessEmpty } from '../ui/addresses.rules.ts';

export const CUSTOMERS = '/settings/customers';
export const CUSTOMERS_PER_PAGE = 25;

export type Segment = CustomerListEntry['segment'];
export const SEGMENTS = customerListEntry.shape.segment.options;

const fields = listCustomersQuery.shape;
const pageNumber = unlessEmpty(
  z.string().regex(/^[1-9]\d{0,4}$/, 'The {field} field must be a page number.'),
);

/** Which customers are looked for. */
export const customersFilter = z.object({
  search: unlessEmpty(fields.search.unwrap()),
  segment: unlessEmpty(fields.segment.unwrap()),
  pipeline_stage: unlessEmpty(fields.pipeline_stage.unwrap()),
});

export type CustomersFilter = z.output<typeof customersFilter>;

/** The list's query. */
export const customersQuery = customersFilter.extend({
  sort: unlessEmpty(fields.sort.unwrap()),
  page: pageNumber,
});

export type CustomersQuery = z.output<typeof customersQuery>;

/** The query of one customer's page: which pages of its lists are shown. */
export const customerQuery = z.object({ coming: pageNumber, visits: pageNumber, calls: pageNumber });

export type CustomerQuery = z.output<typeof customerQuery>;

/** What a form for a new customer begins with. */
export const newCustomerQuery = z.object({
  name: unlessEmpty(textField(MAX_LENGTH.name)),
  phone: unlessEmpty(textField(MAX_LENGTH.phone)),
});

/** The list by this query; without it, all customers, the newest first. */
export const customersAddress = (query: Partial<CustomersQuery> = {}): string => addressOf(CUSTOMERS, query);

/** The file of all customers that the filter lets through, on whichever page of the list. */
export const exportAddress = ({ search, segment, pipeline_stage }: CustomersFilter): string =>
  addressOf(`${CUSTOMERS}/export.csv`, { search, segment, pipeline_stage });

export const customerAddress = (id: number, query: Partial<CustomerQuery> = {}): string =>
  addressOf(`${CUSTOMERS}/${id}`, query);

/** Where another customer is made part of this one; who that is may be chosen already. */
export const mergeAddress = (id: number, other?: number): string =>
  addressOf(`${customerAddress(id)}/merge`, { with: other });

/** The form for a new customer, begun with a number. */
export const newCustomerAddress = (phone: string): string => addressOf(`${CUSTOMERS}/new`, { phone });

export const isFiltered = ({ search, segment, pipeline_stage }: CustomersFilter): boolean =>
  [search, segment, pipeline_stage].some((value) => value !== undefined);

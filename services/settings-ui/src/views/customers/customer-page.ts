import type { CustomerQuery } from '../../domain/customers/customers-query.ts';
import type { LoadedCustomer } from '../../use-cases/load-customer.ts';

/** What the cards of a customer's page are drawn from. */
export interface CustomerPage extends LoadedCustomer {
  /** Which pages of the lists are shown. */
  query: CustomerQuery;
  now: number;
}

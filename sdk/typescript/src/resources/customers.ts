import type { ApiPromise } from '../api-promise.ts';
import type { PagePromise } from '../page.ts';
import type { ChangeOptions, CreateOptions, RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type {
  CreateCustomer,
  CreateCustomerQuery,
  Customer,
  CustomerListEntry,
  ListCustomers,
  UpdateCustomer,
} from '../types.ts';
import { request, requestPage } from './requests.ts';

const PATH = '/customers';

export class Customers {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The newest first, unless you sort them otherwise. `for await` walks through all of them. */
  list(query: ListCustomers = {}, options: RequestOptions = {}): PagePromise<CustomerListEntry> {
    return requestPage(this.#send, PATH, query, options);
  }

  /** @throws ValidationError with `errors.phone`, if the number belongs to another customer */
  create(body: CreateCustomer, options: CreateOptions = {}): ApiPromise<Customer> {
    return this.#post(body, {}, options);
  }

  /** The customer who has the number, as they are; or the new one. `withResponse()` says which: status 200 or 201. */
  findOrCreate(body: CreateCustomer, options: CreateOptions = {}): ApiPromise<Customer> {
    return this.#post(body, { if_exists: 'return' }, options);
  }

  /** One customer, with the figures of their appointments. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Customer> {
    return request(this.#send, { method: 'GET', path: PATH, id, options });
  }

  /** Changes only what you give. null clears a field that may be empty. */
  update(id: number, body: UpdateCustomer, options: ChangeOptions = {}): ApiPromise<Customer> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'PATCH', path: PATH, id, body, ifMatch, options });
  }

  #post(body: CreateCustomer, query: CreateCustomerQuery, options: CreateOptions): ApiPromise<Customer> {
    const { idempotencyKey } = options;
    return request(this.#send, { method: 'POST', path: PATH, query, body, idempotencyKey, options });
  }
}

import type { ApiPromise } from '../api-promise.ts';
import type { RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type { Business as BusinessRecord, Service, StaffListEntry, StaffMember } from '../types.ts';
import { request } from './requests.ts';

export class Staff {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All active staff, not paged, each with their next free slot. */
  list(options: RequestOptions = {}): ApiPromise<StaffListEntry[]> {
    return request(this.#send, { method: 'GET', path: '/staff', isList: true, options });
  }

  /** One staff member, with working hours and booked times, without customer data. */
  get(id: number, options: RequestOptions = {}): ApiPromise<StaffMember> {
    return request(this.#send, { method: 'GET', path: '/staff', id, options });
  }
}

export class Services {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All active services, not paged. */
  list(options: RequestOptions = {}): ApiPromise<Service[]> {
    return request(this.#send, { method: 'GET', path: '/services', isList: true, options });
  }

  /** One service. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Service> {
    return request(this.#send, { method: 'GET', path: '/services', id, options });
  }
}

export class Business {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The business that the key belongs to: also the way to check a key. */
  get(options: RequestOptions = {}): ApiPromise<BusinessRecord> {
    return request(this.#send, { method: 'GET', path: '/business', options });
  }
}

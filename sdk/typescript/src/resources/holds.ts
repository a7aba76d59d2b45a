import type { ApiPromise } from '../api-promise.ts';
import type { ChangeOptions, CreateOptions, RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type { Appointment, BookHold, CreateHold, Hold } from '../types.ts';
import { request } from './requests.ts';

const PATH = '/holds';

/** Times that are kept free while somebody decides. */
export class Holds {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Keeps a time free, by the rules of a booking. `seconds` says for how long.
   * @throws SlotUnavailableError with the nearest free slots, if the time is taken; ValidationError, if it is not offered;
   * LimitError, if too many are open; PermissionError `holds_off`, where the system holds no times
   */
  create(body: CreateHold, options: CreateOptions = {}): ApiPromise<Hold> {
    const { idempotencyKey } = options;
    return request(this.#send, { method: 'POST', path: PATH, body, idempotencyKey, options });
  }

  /** One hold, and whether it is still open. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Hold> {
    return request(this.#send, { method: 'GET', path: PATH, id, options });
  }

  /**
   * Makes it the appointment of a customer, under the same id.
   * @throws HoldExpiredError with the nearest free slots, if it has ended; HoldBookedError, if another customer has it
   */
  book(id: number, body: BookHold, options: CreateOptions = {}): ApiPromise<Appointment> {
    const { idempotencyKey } = options;
    return request(this.#send, {
      method: 'POST',
      path: PATH,
      id,
      part: 'appointment',
      body,
      idempotencyKey,
      options,
    });
  }

  /**
   * Frees the time at once. Giving it back again changes nothing and is no error.
   * @throws HoldBookedError, if it is an appointment by now: cancel that
   */
  release(id: number, options: ChangeOptions = {}): ApiPromise<Hold> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'DELETE', path: PATH, id, ifMatch, options });
  }
}

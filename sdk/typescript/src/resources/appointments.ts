import type { ApiPromise } from '../api-promise.ts';
import type { PagePromise } from '../page.ts';
import type { ChangeOptions, CreateOptions, RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type {
  Appointment,
  CreateAppointment,
  ListAppointments,
  ListSlots,
  Slot,
  UpdateAppointment,
  UpdateAppointmentStatus,
} from '../types.ts';
import { request, requestPage } from './requests.ts';

const PATH = '/appointments';

export class Appointments {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The latest start first, unless you sort them otherwise. `for await` walks through all of them. */
  list(query: ListAppointments = {}, options: RequestOptions = {}): PagePromise<Appointment> {
    return requestPage(this.#send, PATH, query, options);
  }

  /**
   * Books. Without a `staff_id` the appointment goes to the free staff member with the fewest appointments that day.
   * With `enforce_slots` only an offered slot is booked, whatever the booking policy of the business.
   * @throws SlotUnavailableError with the nearest free slots, if the time is taken; ValidationError, if it is not offered
   */
  create(body: CreateAppointment, options: CreateOptions = {}): ApiPromise<Appointment> {
    const { idempotencyKey } = options;
    return request(this.#send, { method: 'POST', path: PATH, body, idempotencyKey, options });
  }

  /**
   * Free slots in order of time. `date` and `time` go into `create` as they are. `limit`, `weekdays`, `from_time` and `to_time` leave
   * the few that are worth saying on the phone.
   */
  slots(query: ListSlots, options: RequestOptions = {}): ApiPromise<Slot[]> {
    return request(this.#send, { method: 'GET', path: `${PATH}/slots`, query, isList: true, options });
  }

  /** One appointment, whatever its status. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Appointment> {
    return request(this.#send, { method: 'GET', path: PATH, id, options });
  }

  /** Changes only what you give. A new time, service or staff member is checked like a new booking. */
  update(id: number, body: UpdateAppointment, options: ChangeOptions = {}): ApiPromise<Appointment> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'PATCH', path: PATH, id, body, ifMatch, options });
  }

  /** Any status may follow any other. Cancelling frees the time; undoing that fails if it is taken. */
  updateStatus(
    id: number,
    body: UpdateAppointmentStatus,
    options: ChangeOptions = {},
  ): ApiPromise<Appointment> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'PATCH', path: PATH, id, part: 'status', body, ifMatch, options });
  }

  /** The appointment stays on record as cancelled. Cancelling it again changes nothing and is no error. */
  cancel(id: number, options: ChangeOptions = {}): ApiPromise<Appointment> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'DELETE', path: PATH, id, ifMatch, options });
  }
}

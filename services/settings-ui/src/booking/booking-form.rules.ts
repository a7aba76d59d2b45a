import { createHash } from 'node:crypto';
import { type CreateCustomer, createAppointmentBody } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { z } from 'zod';
import { FRONT_DESK } from '../customers/added-customer.rules.ts';
import { typedNumber, typedTextOrNone } from '../forms/form-values.rules.ts';
import { formInto, formText } from '../forms/sent-form.rules.ts';

/** The fields beside which errors stand. */
export const BOOKING_FIELDS = ['name', 'phone', 'email', 'notes'];

/** An id as a form sends it; `none` stands for no choice, as an empty field does. */
export const typedIdUnless =
  (none: string) =>
  (value: unknown): unknown =>
    value === '' || value === none || value === null ? undefined : typedNumber(value);

const texts = {
  /** A start among the alternatives, which replaces date and time. */
  at: formText,
  /** What is searched for, and what the customers shown were found by. */
  q: formText,
  found: formText,
  do: formText,
  form_token: formText,
  /** Of a new customer. */
  name: formText,
  phone: formText,
  email: formText,
};
const { customer_id, service_id, staff_id, notes, appointment_date, appointment_time } =
  createAppointmentBody.shape;

/** A booking as the form or a program sends it. The customer is a known one by id, or a new one by name and number. */
export const bookingBody = formInto(
  texts,
  z.object({
    ...texts,
    service_id,
    staff_id,
    notes,
    customer_id: customer_id.optional(),
    /** The call in which it is booked. */
    call_id: customer_id.optional(),
    /** Whom the form has asked about: they get another one on the day. */
    confirmed_customer_id: customer_id.optional(),
    date: appointment_date,
    time: appointment_time,
  }),
  ({ at, ...form }) => {
    const [date, time] = at ? at.split('T') : [form.date, form.time];
    return {
      ...form,
      date,
      time,
      service_id: typedNumber(form.service_id),
      staff_id: typedIdUnless('any')(form.staff_id),
      customer_id: typedIdUnless('new')(form.customer_id),
      call_id: typedIdUnless('')(form.call_id),
      confirmed_customer_id: typedIdUnless('')(form.confirmed_customer_id),
      notes: typedTextOrNone(form.notes),
    };
  },
);

export type BookingBody = z.output<typeof bookingBody>;

const isFilled = (text: string | undefined) => (text ?? '').trim() !== '';

/**
 * Whether the form asks who there is. What was typed and not searched for yet may mean another customer than is chosen.
 */
export const isSearch = ({ do: button, q, found }: BookingBody): boolean =>
  button === 'find' || (isFilled(q) && q?.trim() !== found?.trim());

/** Whether the form asks for another service than it was filled in for. */
export const isServiceChoice = ({ do: button }: BookingBody): boolean => button === 'service';

/** What a form books: which service, with whom, when. */
export const wantedBy = ({ service_id, staff_id, date, time }: BookingBody) => ({
  service_id,
  date,
  time,
  staff_id: staff_id ?? undefined,
});

/** What is typed or chosen about the customer, which goes along to another service. */
export const CUSTOMER_FIELDS = ['customer_id', 'q', 'found', 'name', 'phone', 'email', 'notes'];

/** The new customer that a form describes; crm judges the fields. @throws AppError 422 where it describes none */
export function newCustomerOf({ name, phone, email }: BookingBody): CreateCustomer {
  if (!isFilled(name) && !isFilled(phone))
    throw invalid({ customer_id: ['Choose a customer, or enter the name and number of a new one.'] });
  return {
    name: (name ?? '').trim(),
    phone: (phone ?? '').trim(),
    email: typedTextOrNone(email ?? null) as string | null,
    source: FRONT_DESK,
  };
}

/** A form that is sent twice has the same key, so it books once. */
export const idempotencyKeyOf = (formToken: string | undefined): string | undefined =>
  formToken ? createHash('sha256').update(formToken).digest('base64url') : undefined;

import { dataOf } from '../errors/envelope.ts';
import { appointmentSchema } from '../resources/appointments.ts';
import {
  bookHoldBody,
  createHoldBody,
  HOLD_KEPT_MINUTES,
  HOLD_SECONDS,
  holdSchema,
  MAX_OPEN_HOLDS,
  MOST_ENDED_HOLDS,
} from '../resources/holds.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/holds';
const of = {
  resource: 'holds',
  scope: 'appointments:write',
  owner: 'scheduling',
  record: 'Hold',
  status: 200,
  answer: dataOf(holdSchema),
  hasEtag: true,
} as const;

export const holdOperations = {
  createHold: {
    ...of,
    id: 'create-hold',
    method: 'POST',
    path: PATH,
    title: 'Hold a time',
    description: `Keeps a time free for up to ${HOLD_SECONDS.most / 60} minutes, by the rules of a booking: nobody else can hold or book it, and it is no slot. It is no appointment yet: lists, totals and events don’t have it. A business can have ${MAX_OPEN_HOLDS.business} open holds, and a key ${MAX_OPEN_HOLDS.key} of them.`,
    body: createHoldBody,
    example: {
      service_id: 2,
      staff_id: 3,
      appointment_date: '2026-03-09',
      appointment_time: '10:00',
      seconds: 180,
    },
    status: 201,
    hasLocation: true,
    errors: ['holds_off', 'slot_unavailable', 'quota_exceeded'],
  },
  getHold: {
    ...of,
    id: 'get-hold',
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a hold',
    description: `One hold, and whether it is still open. Once it is booked it is known for good; else for ${HOLD_KEPT_MINUTES} minutes after its end, unless ${MOST_ENDED_HOLDS} others of the business have ended since.`,
  },
  bookHold: {
    ...of,
    id: 'book-hold',
    method: 'POST',
    path: `${PATH}/{id}/appointment`,
    title: 'Book a hold',
    description:
      'Makes the hold the appointment of a customer, at the price and length of the moment it was held. For the same customer again, the answer is the appointment as it is by now, with 200.',
    body: bookHoldBody,
    example: { customer_id: 11, notes: 'First visit' },
    status: 201,
    otherStatus: { status: 200, description: 'It was booked for this customer before.' },
    answer: dataOf(appointmentSchema),
    hasLocation: true,
    errors: ['hold_expired', 'hold_booked', 'quota_exceeded'],
  },
  releaseHold: {
    ...of,
    id: 'release-hold',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    title: 'Give a hold back',
    description: 'Frees the time at once. Giving it back again changes nothing and is no error.',
    takesIfMatch: true,
    errors: ['hold_booked'],
  },
} as const satisfies Record<string, Operation>;

import { z } from 'zod';
import { dataOf, pageOf } from '../errors/envelope.ts';
import {
  appointmentSchema,
  createAppointmentBody,
  listAppointmentsQuery,
  updateAppointmentBody,
  updateStatusBody,
} from '../resources/appointments.ts';
import { slotSchema, slotsQuery } from '../resources/slots.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/appointments';
const of = {
  resource: 'appointments',
  scope: 'appointments:read',
  owner: 'scheduling',
  record: 'Appointment',
} as const;
const single = { ...of, status: 200, answer: dataOf(appointmentSchema), hasEtag: true } as const;
const change = { ...single, scope: 'appointments:write', takesIfMatch: true } as const;

export const appointmentOperations = {
  listAppointments: {
    id: 'list-appointments',
    ...of,
    method: 'GET',
    path: PATH,
    title: 'List appointments',
    description: 'The latest start first, unless you sort them otherwise.',
    query: listAppointmentsQuery,
    example: { status: 'scheduled', per_page: 50 },
    status: 200,
    answer: pageOf(appointmentSchema),
  },
  createAppointment: {
    ...single,
    id: 'create-appointment',
    scope: 'appointments:write',
    method: 'POST',
    path: PATH,
    title: 'Book an appointment',
    description:
      'Without a staff_id it goes to the free staff member with the fewest appointments that day. If the time is taken, the answer is 409 and names the nearest free ones. A business whose booking policy is open, the default, takes any other time, also at night, on a closed day or in the past; one whose policy is slots_only takes only a slot that it offers, and so does any business with enforce_slots: true. Otherwise the answer is 422 on appointment_time and names the nearest free ones, too.',
    body: createAppointmentBody,
    example: {
      customer_id: 11,
      service_id: 2,
      staff_id: 3,
      appointment_date: '2026-03-09',
      appointment_time: '10:00',
      notes: 'First visit',
    },
    status: 201,
    errors: ['slot_unavailable'],
  },
  listSlots: {
    id: 'list-slots',
    ...of,
    method: 'GET',
    path: `${PATH}/slots`,
    title: 'List free slots',
    description:
      'In order of time. Send a slot’s date and time as they are to book it. For a voice, limit, weekdays, from_time and to_time leave the few slots that are worth saying.',
    query: slotsQuery,
    example: { date: '2026-03-09', service_id: 2, staff_id: 3 },
    status: 200,
    answer: dataOf(z.array(slotSchema)),
    errors: ['too_much_asked'],
  },
  getAppointment: {
    ...single,
    id: 'get-appointment',
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get an appointment',
    description: 'One appointment, whatever its status.',
  },
  updateAppointment: {
    ...change,
    id: 'update-appointment',
    method: 'PATCH',
    path: `${PATH}/{id}`,
    title: 'Change an appointment',
    description:
      'Only what you send changes. A new time, service or staff member is checked like a new booking, by enforce_slots too.',
    body: updateAppointmentBody,
    example: { appointment_time: '11:30' },
    errors: ['slot_unavailable'],
  },
  updateAppointmentStatus: {
    ...change,
    id: 'update-appointment-status',
    method: 'PATCH',
    path: `${PATH}/{id}/status`,
    title: 'Change the status',
    description:
      'Any status may follow any other. Cancelling frees the time; undoing that fails if the time is taken or, with enforce_slots: true, no longer offered.',
    body: updateStatusBody,
    example: { status: 'completed' },
    errors: ['slot_unavailable'],
  },
  cancelAppointment: {
    ...change,
    id: 'cancel-appointment',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    title: 'Cancel an appointment',
    description: 'It stays on record as cancelled. Cancelling it again changes nothing and is no error.',
  },
} as const satisfies Record<string, Operation>;

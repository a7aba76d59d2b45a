import { addColumn, addIndex } from '@frontdesk/database';

/** What the business has booked in a call is served in place of what messages state; no process of 0.1.0 writes that column. */
export const bookAppointments = [
  addColumn('NoteBookedAppointments1790000000242', 'calls', {
    name: 'booked_appointment_id',
    type: 'bigint',
  }),
  addIndex('IndexCallsByAppointment1790000000243', {
    name: 'calls_by_appointment',
    on: `calls (tenant_id, coalesce(booked_appointment_id, linked_appointment_id), started_at, id)
      where is_complete and coalesce(booked_appointment_id, linked_appointment_id) is not null`,
  }),
];

import { addColumn, addIndex } from '@frontdesk/database';

/**
 * `appointment_id` stays what messages state; `linked_appointment_id` is served. A row whose stated id is not the checked one is due, also
 * those that were there before, and those that a process of 0.1.0 still writes. That process told readers of the stated id, which shows
 * by `untold_appointment_id`: it alone leaves that column as it is.
 */
export const checkAppointments = [
  addColumn('LinkAppointments1790000000217', 'calls', { name: 'linked_appointment_id', type: 'bigint' }),
  addColumn('NoteCheckedAppointments1790000000218', 'calls', {
    name: 'checked_appointment_id',
    type: 'bigint',
  }),
  addColumn('NoteUntoldAppointments1790000000219', 'calls', {
    name: 'untold_appointment_id',
    type: 'bigint',
  }),
  addColumn('TimeAppointmentChecks1790000000220', 'calls', {
    name: 'appointment_due_at',
    type: 'timestamptz not null default now()',
  }),
  addColumn('CountAppointmentChecks1790000000221', 'calls', {
    name: 'appointment_attempts',
    type: 'integer not null default 0',
  }),
  addColumn('CountAppointmentDenials1790000000222', 'calls', {
    name: 'appointment_denials',
    type: 'integer not null default 0',
  }),
  addIndex('IndexUncheckedAppointments1790000000223', {
    name: 'calls_to_check_appointment',
    on: `calls (tenant_id, appointment_due_at, id)
      where appointment_id is distinct from checked_appointment_id and appointment_id = untold_appointment_id`,
  }),
  // Those that 0.1.0 told of: they come after all others, however many they are.
  addIndex('IndexToldAppointments1790000000224', {
    name: 'calls_to_check_told_appointment',
    on: `calls (tenant_id, appointment_due_at, id)
      where appointment_id is not null and appointment_id is distinct from checked_appointment_id
        and appointment_id is distinct from untold_appointment_id`,
  }),
];

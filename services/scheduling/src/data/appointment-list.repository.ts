import type { ListAppointments } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import type { AppointmentRow } from '../domain/appointment.ts';
import { APPOINTMENT_COLUMNS, APPOINTMENTS_COUNTER } from './appointment.repository.ts';

const readPage = defineList<
  AppointmentRow,
  'status' | 'date' | 'staff' | 'customer' | 'coming' | 'not_coming',
  'starts_at' | 'updated_at'
>({
  name: 'appointments',
  from: 'appointments',
  columns: APPOINTMENT_COLUMNS,
  counter: APPOINTMENTS_COUNTER,
  filters: {
    status: 'status = ?',
    date: 'local_date = ?',
    staff: 'resource_id = ?',
    customer: 'customer_id = ?',
    // Each lets an index be entered where it begins, as one condition for both would not.
    coming: `status = 'scheduled' and starts_at >= now()`,
    not_coming: `(status <> 'scheduled' or starts_at < now())`,
  },
  sorts: {
    starts_at: { column: 'starts_at', hasIdsReversed: true },
    updated_at: { column: 'updated_at' },
  },
  defaultSort: '-starts_at',
});

/** One page, by start descending and then id unless the query says otherwise. */
export const listAppointments = (database: Database, tenantId: number, query: ListAppointments) =>
  readPage(database, tenantId, query, [
    ['status', query.status],
    ['date', query.date],
    ['staff', query.staff_id],
    ['customer', query.customer_id],
    ...(query.is_coming === undefined ? [] : [[query.is_coming ? 'coming' : 'not_coming'] as const]),
  ]);

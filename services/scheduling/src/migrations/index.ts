import {
  addColumn,
  addIndex,
  type MigrationClass,
  projectionsBaseline,
  sharedMigrations,
} from '@frontdesk/database';
import { mergedCustomersMigrations } from '@frontdesk/merges';
import { tenantsMigrations } from '@frontdesk/tenants';
import { baseline } from './baseline.ts';
import { CreateAppointmentHistory1790000100014 } from './create-appointment-history.ts';
import { CreateHolds1790000100018, KeepHoldsApart1790000100019 } from './create-holds.ts';
import { CreateStaffPictures1790000100011 } from './create-staff-pictures.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  projectionsBaseline,
  ...tenantsMigrations,
  ...mergedCustomersMigrations,
  baseline,
  // Whether the business has chosen its booking policy. False for `open` of businesses that are here already, and for what a process of
  // the release before saves: they may have it by default. Whoever has `slots_only` has chosen it, whatever stands here.
  addColumn('ChooseBookingPolicy1790000100008', 'booking_settings', {
    name: 'booking_policy_chosen',
    type: 'boolean not null default false',
  }),
  addColumn('ColorStaff1790000100009', 'staff', { name: 'color', type: 'text' }),
  addColumn('CategorizeServices1790000100010', 'services', { name: 'category', type: 'text' }),
  CreateStaffPictures1790000100011,
  // Both are of a status. What a process of the release before leaves behind when it changes that is shown to nobody.
  addColumn('MarkArrivals1790000100012', 'appointments', { name: 'arrived_at', type: 'timestamptz' }),
  addColumn('GiveReasons1790000100013', 'appointments', { name: 'cancellation_reason', type: 'text' }),
  CreateAppointmentHistory1790000100014,
  // Who has booked it. A process of the release before says nobody.
  addColumn('NoteBookingRoles1790000100015', 'appointments', { name: 'booked_role', type: 'text' }),
  addColumn('NoteBookers1790000100016', 'appointments', { name: 'booked_by', type: 'bigint' }),
  addIndex('IndexNoShows1790000100017', {
    name: 'appointments_no_shows',
    on: `appointments (tenant_id, customer_id) where status = 'no_show'`,
  }),
  CreateHolds1790000100018,
  KeepHoldsApart1790000100019,
  addIndex('IndexHolds1790000100020', {
    name: 'appointments_held',
    on: `appointments (tenant_id, held_until) where status = 'held'`,
  }),
  addIndex('IndexEndedHolds1790000100021', {
    name: 'appointments_ended_holds',
    on: `appointments (tenant_id, held_until) where status = 'expired'`,
  }),
];

import {
  addColumn,
  type MigrationClass,
  projectionsMigration,
  setAutovacuum,
  sharedMigrations,
} from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { CompleteBusiness1790000100004 } from './complete-business.ts';
import { CreateAppointments1790000100002 } from './create-appointments.ts';
import { CreateBusiness1790000100001 } from './create-business.ts';
import { FollowBusinessHours1790000100005 } from './follow-business-hours.ts';
import { IndexAppointmentsByCustomer1790000100007 } from './index-appointments-by-customer.ts';
import { IndexAppointmentsByUpdate1790000100003 } from './index-appointments-by-update.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  projectionsMigration,
  ...tenantsMigrations,
  CreateBusiness1790000100001,
  CreateAppointments1790000100002,
  IndexAppointmentsByUpdate1790000100003,
  CompleteBusiness1790000100004,
  FollowBusinessHours1790000100005,
  setAutovacuum('SetAutovacuum1790000100006', [
    'appointments',
    'customers',
    'services',
    'staff',
    'staff_services',
    'working_hours',
    'dated_hours',
    'time_off',
  ]),
  IndexAppointmentsByCustomer1790000100007,
  // Whether the business has chosen its booking policy. False for `open` of businesses that are here already, and for what a process of
  // the release before saves: they may have it by default. Whoever has `slots_only` has chosen it, whatever stands here.
  addColumn('ChooseBookingPolicy1790000100008', 'booking_settings', {
    name: 'booking_policy_chosen',
    type: 'boolean not null default false',
  }),
];

import { addColumn, type MigrationClass, projectionsBaseline, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { baseline } from './baseline.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  projectionsBaseline,
  ...tenantsMigrations,
  baseline,
  // Whether the business has chosen its booking policy. False for `open` of businesses that are here already, and for what a process of
  // the release before saves: they may have it by default. Whoever has `slots_only` has chosen it, whatever stands here.
  addColumn('ChooseBookingPolicy1790000100008', 'booking_settings', {
    name: 'booking_policy_chosen',
    type: 'boolean not null default false',
  }),
];

import { type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { tenantsMigration } from '@frontdesk/tenants';
import { CreateAppointments1790000100002 } from './create-appointments.ts';
import { CreateBusiness1790000100001 } from './create-business.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  tenantsMigration,
  CreateBusiness1790000100001,
  CreateAppointments1790000100002,
];

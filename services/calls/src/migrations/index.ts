import { addColumn, projectionsBaseline, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { baseline } from './baseline.ts';
import { bookAppointments } from './book-appointments.ts';
import { checkAppointments } from './check-appointments.ts';
import { CreateCallRefusals1790000000226 } from './create-call-refusals.ts';
import { indexCallsByNumber } from './index-calls-by-number.ts';
import { ParkCalls1790000000227 } from './park-calls.ts';
import { PartTests1790000000225 } from './part-tests.ts';

export const migrations = [
  ...sharedMigrations,
  projectionsBaseline,
  ...tenantsMigrations,
  baseline,
  indexCallsByNumber,
  // The coding that a message came with: its bytes are kept as they are.
  addColumn('NoteContentEncoding1790000000216', 'call_messages', { name: 'content_encoding', type: 'text' }),
  ...checkAppointments,
  PartTests1790000000225,
  CreateCallRefusals1790000000226,
  ParkCalls1790000000227,
  ...bookAppointments,
];

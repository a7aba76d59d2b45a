import { addColumn, addIndex, projectionsBaseline, sharedMigrations } from '@frontdesk/database';
import { mergedCustomersMigrations } from '@frontdesk/merges';
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
  ...mergedCustomersMigrations,
  baseline,
  indexCallsByNumber,
  // The coding that a message came with: its bytes are kept as they are.
  addColumn('NoteContentEncoding1790000000216', 'call_messages', { name: 'content_encoding', type: 'text' }),
  ...checkAppointments,
  PartTests1790000000225,
  CreateCallRefusals1790000000226,
  ParkCalls1790000000227,
  // Of the customer, as their event had it: a number that has gone to somebody else does not come back with an older one.
  addColumn('VersionCustomerNumbers1790000000240', 'customer_numbers', {
    name: 'version',
    type: 'bigint not null default 0',
  }),
  addIndex('IndexNumbersOfCustomers1790000000241', {
    name: 'customer_numbers_of_customer',
    on: 'customer_numbers (tenant_id, customer_id)',
  }),
  ...bookAppointments,
];

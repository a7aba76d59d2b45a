import { addColumn, projectionsMigration, setAutovacuum, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import {
  checkAppointments,
  IndexToldAppointments1790000000224,
  IndexUncheckedAppointments1790000000223,
} from './check-appointments.ts';
import { CreateCallMessageDays1790000000205 } from './create-call-message-days.ts';
import { CreateCallMessages1790000000203 } from './create-call-messages.ts';
import { CreateCallSources1790000000201 } from './create-call-sources.ts';
import { CreateCalls1790000000202 } from './create-calls.ts';
import { CreateCustomerNumbers1790000000204 } from './create-customer-numbers.ts';
import { DropCallsByStart1790000000208 } from './drop-calls-by-start.ts';
import { IndexCallBacks1790000000213 } from './index-call-backs.ts';
import { IndexCallsByNumber1790000000215 } from './index-calls-by-number.ts';
import { IndexCallsBySource1790000000214 } from './index-calls-by-source.ts';
import { IndexTests1790000000207 } from './index-tests.ts';
import { MarkCallBacks1790000000212 } from './mark-call-backs.ts';
import { MarkTestMessages1790000000209 } from './mark-test-messages.ts';
import { MarkTests1790000000206 } from './mark-tests.ts';
import { NoteTests1790000000210 } from './note-tests.ts';
import { PartTests1790000000225 } from './part-tests.ts';

export const migrations = [
  ...sharedMigrations,
  projectionsMigration,
  ...tenantsMigrations,
  CreateCallSources1790000000201,
  CreateCalls1790000000202,
  CreateCallMessages1790000000203,
  CreateCustomerNumbers1790000000204,
  CreateCallMessageDays1790000000205,
  MarkTests1790000000206,
  IndexTests1790000000207,
  DropCallsByStart1790000000208,
  MarkTestMessages1790000000209,
  NoteTests1790000000210,
  setAutovacuum('SetAutovacuum1790000000211', [
    'calls',
    'call_messages',
    'call_patches',
    'call_transcripts',
    'customer_numbers',
  ]),
  MarkCallBacks1790000000212,
  IndexCallBacks1790000000213,
  IndexCallsBySource1790000000214,
  IndexCallsByNumber1790000000215,
  // The coding that a message came with: its bytes are kept as they are.
  addColumn('NoteContentEncoding1790000000216', 'call_messages', { name: 'content_encoding', type: 'text' }),
  ...checkAppointments,
  IndexUncheckedAppointments1790000000223,
  IndexToldAppointments1790000000224,
  PartTests1790000000225,
];

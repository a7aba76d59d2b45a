import { answerSchema, bodySchema, createCustomerBody, RECORDS, staffSchema } from '@frontdesk/contracts';
import { z } from 'zod';
import { describedFields } from './described-fields.ts';

it('shows type, rules and whether a field is required', () => {
  const fields = describedFields(bodySchema(createCustomerBody));
  expect(fields[0]).toEqual({
    name: 'name',
    type: 'string',
    isRequired: true,
    rules: ['at most 200 characters'],
    description: '',
  });
  expect(fields.find(({ name }) => name === 'segment')).toMatchObject({
    type: 'string or null',
    isRequired: false,
    rules: ['one of lead, active, inactive, vip'],
  });
});

it('goes into objects and lists, and names records that are described elsewhere', () => {
  const names = describedFields(answerSchema(staffSchema)).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['next_available_slot.date', 'working_hours.monday[].start', 'specialties']),
  );
  const list = z.object({ data: z.array(RECORDS.Appointment), one: RECORDS.Customer });
  expect(describedFields(answerSchema(list)).map(({ type }) => type)).toEqual([
    'list of Appointment',
    'Customer',
  ]);
});

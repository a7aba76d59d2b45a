import type { FieldFault } from '@frontdesk/contracts';
import { type FieldKind, faultText, namedFaultText } from './fault-words.rules.ts';

const text = 'The x field is wrong.';

it.each<[FieldFault, FieldKind, string]>([
  [{ text, reason: 'required' }, 'typed', 'This field is required.'],
  [{ text, reason: 'required' }, 'ticked', 'Choose at least one.'],
  [{ text, reason: 'too_high', most: 10_000 }, 'typed', 'Enter 10,000 or less.'],
  [
    { text, reason: 'not_phone_number', country: 'AU' },
    'typed',
    'Enter a complete phone number, e.g. 0412\u00A0345\u00A0678.',
  ],
  [
    { text, reason: 'not_phone_number', country: 'DE' },
    'typed',
    'Enter a complete phone number, e.g. 01512\u00A03456789.',
  ],
  [
    { text, reason: 'not_phone_number', country: 'AQ' },
    'typed',
    'Enter a complete phone number with its country code.',
  ],
  [
    { text, reason: 'phone_taken', customer: { id: 7, name: 'Grace Wilson' } },
    'typed',
    'This number belongs to Grace Wilson.',
  ],
  ['The phone has already been taken.', 'typed', 'The phone has already been taken.'],
])('%j, %s: %s', (fault, kind, words) => expect(faultText(fault, kind)).toBe(words));

it.each<[string, FieldFault, string]>([
  [
    'settings.vapi.signature_header',
    { text, reason: 'required' },
    'Signature header: This field is required.',
  ],
  ['hours.monday.0', { text, reason: 'not_time' }, 'Monday: Enter a time such as 14:00 or 2:00 PM.'],
  [
    'service_ids',
    { text, reason: 'services_gone' },
    'One of these services was deleted meanwhile. Check them and save again.',
  ],
  [
    'customer_id',
    { text, reason: 'customer_gone' },
    'This customer isn’t there any more. Choose another one.',
  ],
  ['appointment_time', { text, reason: 'time_taken' }, 'This time is taken.'],
  ['email', 'This address already has access.', 'This address already has access.'],
])('away from its field, %s, %j: %s', (field, fault, words) =>
  expect(namedFaultText(field, fault)).toBe(words),
);

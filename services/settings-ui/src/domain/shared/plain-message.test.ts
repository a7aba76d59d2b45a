import { plainMessage } from './plain-message.ts';

it.each([
  ['The new_password field is required.', 'New password', 'New password is required.'],
  ['The new_password field is required.', undefined, 'New password is required.'],
  ['The settings.vapi.payload field is required.', undefined, 'Payload is required.'],
  ['The hours.monday.0 field must be a time.', undefined, 'Monday must be a time.'],
  ['The appointment_date must not be past.', undefined, 'The appointment date must not be past.'],
  ['Call https://a.example/b_c.', undefined, 'Call https://a.example/b_c.'],
  ['a_b@c.example is taken.', undefined, 'a_b@c.example is taken.'],
  ['The name has already been taken.', 'Name', 'The name has already been taken.'],
])('%s, labelled %s: %s', (message, label, plain) => expect(plainMessage(message, label)).toBe(plain));

import {
  type FieldFault,
  type FieldReason,
  type GuessedBy,
  KEY_SCOPES,
  type KeyScope,
  MAX_LENGTH,
} from '@frontdesk/contracts';
import { examplePhone } from '@frontdesk/phone';
import { TIME_FAULT } from '../region/read-time.rules.ts';
import { NO_REGION } from '../region/region.rules.ts';
import { capitalised, countText } from '../region/words.rules.ts';

/** How a field is filled in: what is missing in it is said as what to do. */
export type FieldKind = 'typed' | 'chosen' | 'ticked';

const MISSING: Record<FieldKind, string> = {
  typed: 'This field is required.',
  chosen: 'Choose one.',
  ticked: 'Choose at least one.',
};

/**
 * What is wrong with a field, beside it. Of a service of an earlier release, which names no reason, it is the API's sentence.
 */
export const faultText = (fault: FieldFault, kind: FieldKind = 'typed'): string =>
  typeof fault === 'string' ? fault : reasonText(fault, kind);

/** The same away from the field, by its name: `settings.vapi.signature_header` is “Signature header”. */
export function namedFaultText(field: string, fault: FieldFault): string {
  const text = faultText(fault);
  if (typeof fault === 'string' || SAYS_WHAT.has(fault.reason)) return text;
  const parts = field.split('.').filter((part) => Number.isNaN(Number(part)));
  return `${capitalised((parts.at(-1) ?? field).replaceAll('_', ' '))}: ${text}`;
}

/** These need no field beside them. */
const SAYS_WHAT: ReadonlySet<FieldReason['reason']> = new Set([
  'name_taken',
  'phone_taken',
  'not_phone_number',
  'service_gone',
  'services_gone',
  'customer_gone',
  'staff_gone',
  'staff_lacks_service',
  'time_taken',
  'time_not_offered',
  'time_skipped',
  'time_repeated',
  'just_replaced',
]);

/** Of reasons without parameters. */
const PLAIN = {
  not_text: 'Enter this as text.',
  blank: 'Spaces alone are not enough.',
  not_number: 'Enter a number.',
  not_whole_number: 'Enter a whole number.',
  not_a_choice: 'Choose one of those listed.',
  not_date: 'Enter a date that exists.',
  not_time: TIME_FAULT,
  not_in_future: 'Choose a date in the future.',
  not_network: 'Enter IP addresses or networks, such as 203.0.113.0/24, one on each line.',
  not_date_and_time: 'Enter a date and a time.',
  not_email: 'Enter a complete email address, e.g. name@example.com.',
  not_time_zone: 'Choose a time zone from the list, e.g. Europe/Berlin.',
  name_taken: 'This name is already in use. Choose another one.',
  service_gone: 'This service can’t be booked any more.',
  services_gone: 'One of these services was deleted meanwhile. Check them and save again.',
  customer_gone: 'This customer isn’t there any more. Choose another one.',
  staff_gone: 'This person can’t be booked any more.',
  staff_lacks_service: 'This person doesn’t do this service.',
  time_taken: 'This time is taken.',
  time_not_offered: 'This time isn’t available.',
  time_skipped: 'The clocks go forward that day and skip this time.',
  time_repeated: 'Choose a full minute. Where clocks show a time twice, choose the first.',
  has_credentials: 'Leave user name and password out of the URL.',
  not_public_address: 'Use a URL that can be reached on the public internet.',
  not_picture: 'Choose a picture: a PNG, JPEG or WebP file.',
  not_in_this_status: 'The appointment’s status doesn’t allow this any more.',
  provider_sets_secret: 'Copy the secret from your provider.',
  not_header_name: 'Enter the name of a header, such as Authorization, without spaces.',
  header_reserved: 'Frontdesk sets this header itself. Choose another name.',
  header_repeated: 'Enter each header once.',
  just_replaced:
    'The secret was replaced less than a day ago. Replacing it again would stop the one before at once.',
  body_not_signed: 'Include {body}: without it anybody could change the message.',
  timestamp_unnamed: 'Enter the header of the timestamp, because what is signed contains {timestamp}.',
} as const satisfies Partial<Record<FieldReason['reason'], string>>;

function reasonText(fault: FieldReason, kind: FieldKind): string {
  switch (fault.reason) {
    case 'required':
      return MISSING[kind];
    case 'too_long':
      return `Use at most ${count(fault.most)} characters.`;
    case 'too_many':
      return `Use at most ${count(fault.most)}.`;
    case 'too_high':
      return `Enter ${count(fault.most)} or less.`;
    case 'too_short':
      return `Use at least ${count(fault.least)} characters.`;
    case 'too_few':
      return fault.least === 1 ? MISSING.ticked : `Choose at least ${count(fault.least)}.`;
    case 'too_low':
      return `Enter ${count(fault.least)} or more.`;
    case 'not_within':
      return `Choose a date between ${fault.from.slice(0, 4)} and ${fault.to.slice(0, 4)}.`;
    case 'window_too_long':
      return `Choose an end at most ${count(fault.most_days)} days after the start.`;
    case 'not_amount':
      return `Enter an amount in ${fault.currency}.`;
    case 'not_phone_number':
      return phoneText(fault.country);
    case 'phone_taken':
      return `This number belongs to ${fault.customer.name}.`;
    case 'easy_to_guess':
      return `This password is too easy to guess: ${GUESSED_BY_WORDS[fault.why]}. Choose a few unrelated words.`;
    case 'not_signing_secret':
      return `Enter ${fault.prefix} followed by at least ${fault.least_bytes} bytes in base64.`;
    case 'not_web_address':
      return `Enter a complete URL that begins with https://${fault.allows_http ? ' or http://' : ''}.`;
    case 'port_not_allowed':
      return `Use one of the ports ${fault.ports}.`;
    case 'not_header_value':
      return `Enter a value of at most ${count(MAX_LENGTH.headerValue)} letters, digits and signs, without accents and emoji.`;
    case 'event_not_allowed':
      return `One of these events needs “${scopeWords(fault.scope)}”, which this endpoint doesn’t have.`;
    default:
      return PLAIN[fault.reason];
  }
}

const count = (value: number) => countText(NO_REGION, value);

/** Of a later release there may be others. */
const scopeWords = (scope: string) =>
  Object.hasOwn(KEY_SCOPES, scope) ? KEY_SCOPES[scope as KeyScope].replace(/\.$/, '') : scope;

function phoneText(country: string): string {
  const example = examplePhone(country);
  return example === null
    ? 'Enter a complete phone number with its country code.'
    : `Enter a complete phone number, e.g. ${example.replaceAll(' ', '\u00A0')}.`;
}

export const GUESSED_BY_WORDS: Record<GuessedBy, string> = {
  names: 'it is made of your email address or the name of the business',
  repeats: 'it repeats itself',
  sequence: 'it is a sequence',
  row_of_keys: 'it is a row of keys',
  key_pattern: 'it is a pattern of keys',
  year: 'it is made of a year',
  date: 'it is made of a date',
  common: 'it is similar to a common password',
};

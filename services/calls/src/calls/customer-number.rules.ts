import { parsePhone } from '@frontdesk/phone';
import type { CallColumns } from './call-columns.rules.ts';

type Numbers = Pick<CallColumns, 'direction' | 'from_number' | 'to_number'>;

/**
 * The number by which the customer of a call is known, as the provider gave it: the caller's of an inbound call, the
 * called one's of an outbound call. Null: hidden, or no phone number.
 */
export function customerNumber({ direction, from_number, to_number }: Numbers): string | null {
  if (direction === null) return null;
  const number = direction === 'inbound' ? from_number : to_number;
  return number !== null && isDialable(number) ? number : null;
}

/** The same as E.164; null where there is none. */
export function numberOf(call: Numbers, country: string): string | null {
  const number = customerNumber(call);
  return number === null ? null : (parsePhone(number, country)?.e164 ?? null);
}

/** What stands for a hidden number at Twilio and others: ANONYMOUS, RESTRICTED, UNAVAILABLE, BLOCKED, UNKNOWN on a keypad. */
const HIDDEN = new Set([
  '+266696687',
  '266696687',
  '+7378742833',
  '+86282452253',
  '+2562533',
  '+8656696',
  '+48656696',
]);

/** Digits and what people write between them: no `sip:` address, `client:` name or "anonymous". */
const isDialable = (number: string) =>
  /^[+\d\s()./\-\u2010-\u2015\u202a-\u202e]{3,40}$/.test(number) &&
  /\d{3}/.test(number) &&
  !HIDDEN.has(number);

import { parsePhone } from '@frontdesk/phone';
import type { CallFacts } from './call-provider.ts';
import type { CallRecord } from './call-record.ts';

/**
 * The number by which the customer of a call is known, as the provider gave it: the caller's of an inbound call, the
 * called one's of an outbound call. Null: hidden, or no phone number.
 */
export function customerNumber(
  call: Pick<CallRecord, 'direction' | 'fromNumber' | 'toNumber'>,
): string | null {
  if (call.direction === null) return null;
  const number = call.direction === 'inbound' ? call.fromNumber : call.toNumber;
  return number !== null && isDialable(number) ? number : null;
}

/** The same as E.164, from what is stated about the call; null where there is none. */
export function numberOf(facts: CallFacts, country: string): string | null {
  const { direction = null, fromNumber = null, toNumber = null } = facts;
  const number = customerNumber({ direction, fromNumber, toNumber });
  return number === null ? null : (parsePhone(number, country)?.e164 ?? null);
}

/** What Twilio and others put in place of a number that the caller hides: ANONYMOUS, RESTRICTED, UNAVAILABLE, BLOCKED, UNKNOWN on a keypad. */
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

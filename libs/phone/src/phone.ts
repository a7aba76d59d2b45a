// The `max` metadata: the smaller sets take five digits for a German number.
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in the forms that are kept beside the text as given. */
export interface PhoneNumber {
  /** `+`, country code and national number: the form that is unique. An extension is not part of it. */
  e164: string;
  /** Digits of every way the number is written (international, national, as given), space separated: what search looks in. */
  digits: string;
}

/** National numbers at least this long are taken even where the metadata doesn't list their range. */
const UNLISTED_MIN_DIGITS = 7;

/** Parses a number as people in `country` (ISO 3166-1 alpha-2) write it. Null: not a phone number. */
export function parsePhone(text: string, country: string): PhoneNumber | null {
  const parsed = parsePhoneNumberFromString(withoutInvisibles(text), {
    defaultCountry: country as CountryCode,
    extract: false,
  });
  if (!parsed?.isPossible()) return null;
  // Numbering plans grow, and keep ranges apart for fiction: an unlisted range is no reason to refuse a whole number.
  if (!parsed.isValid() && parsed.nationalNumber.length < UNLISTED_MIN_DIGITS) return null;
  const national = parsed.format('NATIONAL', { formatExtension: (formatted) => formatted });
  const digits = new Set([digitsOf(parsed.number), digitsOf(national), digitsOf(text)]);
  return { e164: parsed.number, digits: [...digits].join(' ') };
}

/** Numbers copied from address books come wrapped in invisible marks of writing direction. */
const withoutInvisibles = (text: string) => text.replace(/\p{Cf}/gu, '').trim();

export const digitsOf = (text: string) => text.replace(/[^0-9]/g, '');

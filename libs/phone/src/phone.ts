// The `max` metadata: the smaller sets take five digits for a German number.
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  type PhoneNumber as Parsed,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

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
  const parsed = parseIn(text, country);
  if (!parsed) return null;
  const national = parsed.format('NATIONAL', { formatExtension: (formatted) => formatted });
  const digits = new Set([digitsOf(parsed.number), digitsOf(national), digitsOf(text)]);
  return { e164: parsed.number, digits: [...digits].join(' ') };
}

/** A space before a digit that a country code may begin with. */
const UNESCAPED_PLUS = /^ (?=[1-9])/;

/** The same from the query of a URL, where the `+` of a number has become a space unless it was sent as `%2B`. */
export function parseQueriedPhone(text: string, country: string): PhoneNumber | null {
  const international = UNESCAPED_PLUS.test(text) ? parsePhone(`+${text.trimStart()}`, country) : null;
  return international ?? parsePhone(text, country);
}

/** A number for people in a country. */
export interface WrittenPhone {
  /** As they write it: with the country code only where it is another one than theirs. */
  text: string;
  /** As any telephone dials it. */
  e164: string;
}

/** A number as it is written in `country`; in international form where that is null. Null: not a phone number. */
export function writePhone(number: string, country: string | null): WrittenPhone | null {
  const parsed = parseIn(number, country);
  if (!parsed) return null;
  const isOwn = parsed.countryCallingCode === callingCodeOf(country);
  return { text: isOwn ? parsed.formatNational() : parsed.formatInternational(), e164: parsed.number };
}

function parseIn(text: string, country: string | null): Parsed | null {
  const parsed = parsePhoneNumberFromString(withoutInvisibles(text), {
    ...(country !== null && { defaultCountry: country as CountryCode }),
    extract: false,
  });
  if (!parsed?.isPossible()) return null;
  // Numbering plans grow, and keep ranges apart for fiction: an unlisted range is no reason to refuse a whole number.
  if (!parsed.isValid() && parsed.nationalNumber.length < UNLISTED_MIN_DIGITS) return null;
  return parsed;
}

/** Undefined for a country without numbers of its own. */
const callingCodeOf = (country: string | null) =>
  country !== null && isSupportedCountry(country) ? getCountryCallingCode(country) : undefined;

/** Numbers copied from address books come wrapped in invisible marks of writing direction. */
const withoutInvisibles = (text: string) => text.replace(/\p{Cf}/gu, '').trim();

export const digitsOf = (text: string) => text.replace(/[^0-9]/g, '');

/** A mobile number as people of the country write theirs, for a hint; null for a country without numbers of its own. */
export const examplePhone = (country: string): string | null =>
  (isSupportedCountry(country) && getExampleNumber(country, examples)?.formatNational()) || null;

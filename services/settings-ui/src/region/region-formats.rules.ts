import type { Region } from './region.rules.ts';

/** Intl's formats of a country, made once. Pages are English: months and weekdays too, in the country's order. */

/** Whose ways pages follow where the country is not known. */
const DEFAULT_COUNTRY = 'GB';
const WORLD_ENGLISH = 'en-001';
/** Marks that turn the direction of text. */
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** A letter that is not Latin. */
const FOREIGN_LETTER = /[^\P{L}\p{Script=Latin}]/u;

interface CountryFormats {
  /** Of dates and clocks. */
  locale: string;
  isTwelveHour: boolean;
  hourCycle: 'h12' | 'h23';
  numbers: Intl.NumberFormat;
  shares: Intl.NumberFormat;
  decimalMark: string;
  /** Numbers are written as in the country's main language: its marks are known. */
  hasOwnNumbers: boolean;
  /** Clock times as they are written, each formatted once: a busy day has thousands. */
  clocks: Map<string, string>;
  /** Of dates, by their options. */
  dates: Map<string, Intl.DateTimeFormat>;
  /** By currency. */
  money: Map<string, Intl.NumberFormat>;
}

export const formatsOf = ({ country }: Pick<Region, 'country'>): CountryFormats =>
  ofCountry(country ?? DEFAULT_COUNTRY);

/** Made once, since Intl takes long; made again, they would be the same. */
const ofCountry = remembered(makeFormats);

function remembered<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>();
  return (key) => made.getOrInsertComputed(key, make);
}

function makeFormats(country: string): CountryFormats {
  const locale = englishOf(country);
  const isTwelveHour = new Intl.Locale(`und-${country}`).getHourCycles()[0] === 'h12';
  const own = numbersOf(country);
  const numberLocale = own ?? locale;
  const numbers = new Intl.NumberFormat(numberLocale);
  return {
    locale,
    isTwelveHour,
    hourCycle: isTwelveHour ? 'h12' : 'h23',
    numbers,
    shares: new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 }),
    decimalMark: decimalMarkIn(numbers.formatToParts(0.5)),
    hasOwnNumbers: own !== null,
    clocks: new Map(),
    dates: new Map(),
    money: new Map(),
  };
}

/** The English of a country; of the world, where it has none of its own. */
function englishOf(country: string): string {
  const own = `en-${country}`;
  return new Intl.DateTimeFormat(own).resolvedOptions().locale === own ? own : WORLD_ENGLISH;
}

/** The country's main language, for its numbers in Latin digits; null where these don't fit into a line of English. */
function numbersOf(country: string): string | null {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const own = `${language}-${country}-u-nu-latn`;
  if (Intl.NumberFormat.supportedLocalesOf(own).length === 0 || !isLeftToRight(own)) return null;
  const [number, amount] = [{}, { style: 'currency', currency: 'EUR' } as const].map((options) =>
    new Intl.NumberFormat(own, options).formatToParts(-0.5),
  );
  // Cape Verde divides amounts with a dollar sign.
  const isAlike = decimalMarkIn(number) === decimalMarkIn(amount);
  const isPlain = [...(number ?? []), ...(amount ?? [])].every(({ value }) => !DIRECTION.test(value));
  return isAlike && isPlain ? own : null;
}

const decimalMarkIn = (parts: readonly Intl.NumberFormatPart[] = []): string =>
  parts.find(({ type }) => type === 'decimal')?.value ?? '.';

const isLeftToRight = (locale: string) => new Intl.Locale(locale).getTextInfo().direction === 'ltr';

/** Dates without a time, which no zone moves; instants, where there is a zone. */
export function dateFormat(region: Pick<Region, 'country'>, options: Intl.DateTimeFormatOptions) {
  const { locale, hourCycle, dates } = formatsOf(region);
  return dates.getOrInsertComputed(
    JSON.stringify(options),
    () => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hourCycle, ...options }),
  );
}

/** With the currency's sign; with its code, where the sign is in another script. */
export function moneyFormat(region: Pick<Region, 'country'>, currency: string): Intl.NumberFormat {
  const { numbers, money } = formatsOf(region);
  const { locale } = numbers.resolvedOptions();
  return money.getOrInsertComputed(currency, () => {
    const style = { style: 'currency', currency } as const;
    const signed = new Intl.NumberFormat(locale, style);
    return FOREIGN_LETTER.test(signed.format(0))
      ? new Intl.NumberFormat(locale, { ...style, currencyDisplay: 'code' })
      : signed;
  });
}

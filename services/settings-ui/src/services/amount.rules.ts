import { minorUnitDigits } from '@frontdesk/contracts';
import { z } from 'zod';
import type { Region } from '../region/region.rules.ts';
import { formatsOf } from '../region/region-formats.rules.ts';

/** Why a text is no amount, in a sentence for the field; without one nothing was entered. */
export class AmountFault {
  readonly message: string | undefined;

  constructor(message?: string) {
    this.message = message;
  }
}

/** Where no currency is known, as many decimals as any has. */
const MOST_DECIMALS = 3;
const PLAIN = /^(0|[1-9]\d*)$/;
/**
 * One separator between all groups of three: a comma, a dot, an apostrophe, or a space, which may be thin or not break.
 */
const GROUPED = /^[1-9]\d{0,2}(?:([.,'’\u0020\u00A0\u2009\u202F])\d{3})(?:\1\d{3})*$/u;
/** Groups of two before the last three, as in India. */
const GROUPED_BY_TWO = /^[1-9]\d?(?:,\d{2})+,\d{3}$/u;
const NO_DIGIT = /\D/gu;

/**
 * An amount as people type it, in any of the usual ways: `1234.50`, `1234,50`, `1,234.50`, `1.234,50`, `1 234,50`. One
 * separator with three digits behind it groups them where the currency has fewer decimals. With three decimals it is
 * what it is in the business's country. Where its ways are not known, a dot is the decimal point and a comma could be
 * either, so it is refused.
 */
export function readAmount(typed: string, currency: string | null, region: Region): number | AmountFault {
  const text = typed.trim();
  const decimals = currency === null ? MOST_DECIMALS : minorUnitDigits(currency);
  if (PLAIN.test(text)) return Number(text);
  if (text === '') return new AmountFault();

  const [tail = '', point = '', digits = ''] = /([.,])(\d+)$/u.exec(text) ?? [];
  const whole = text.slice(0, text.length - tail.length);
  const isFraction = tail !== '' && (PLAIN.test(whole) || (isGrouped(whole) && !whole.includes(point)));
  const canGroup = isGrouped(text);
  const plain = whole.replace(NO_DIGIT, '');

  if (isFraction && digits.length <= decimals) {
    const isDecimal = !canGroup || isDecimalMark(point, region);
    if (isDecimal === null)
      return new AmountFault(
        `${text} could mean ${plain}${digits} or ${plain}.${digits}. Enter it in one of these two ways.`,
      );
    if (isDecimal) return Number(`${plain}.${digits}`);
  }
  if (canGroup) return Number(text.replace(NO_DIGIT, ''));
  return new AmountFault(
    isFraction
      ? tooFine(currency, decimals, region)
      : `Enter an amount such as ${example(decimals, region)}.`,
  );
}

/** A body from a form whose price was typed, with the amount that it means; any other body as it is. */
export async function withReadPrice(
  body: unknown,
  contextOf: () => Promise<{ currency: string | null; region: Region }>,
): Promise<unknown> {
  const { price } = (body ?? {}) as { price?: unknown };
  if (typeof price !== 'string') return body;
  const { currency, region } = await contextOf();
  return { ...(body as object), price: readAmount(price, currency, region) };
}

const isGrouped = (text: string) => GROUPED.test(text) || GROUPED_BY_TWO.test(text);

/** Of a mark with three digits behind it; null where it could be either. */
function isDecimalMark(mark: string, region: Region): boolean | null {
  const { decimalMark, hasOwnNumbers } = formatsOf(region);
  if (region.country !== null && hasOwnNumbers) return mark === decimalMark;
  // Pages show the one; people there may write the other.
  return mark === decimalMark ? true : null;
}

const marked = (text: string, region: Region) => text.replace('.', formatsOf(region).decimalMark);

const example = (decimals: number, region: Region) =>
  decimals === 0 ? '2950' : marked(`29.${'500'.slice(0, decimals)}`, region);

const tooFine = (currency: string | null, decimals: number, region: Region) =>
  decimals === 0
    ? `${currency} has no decimals: enter a whole amount, such as ${example(0, region)}.`
    : `${currency ?? 'A currency'} has at most ${decimals} decimals: enter an amount such as ${example(decimals, region)}.`;

/** Says of an amount that could not be read why; the others are the schema's. */
export const readAmountField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (!(value instanceof AmountFault)) return value;
    context.addIssue(
      value.message === undefined
        ? { code: 'custom', message: 'The {field} field is required.', params: { reason: 'required' } }
        : { code: 'custom', message: value.message },
    );
    return z.NEVER;
  }, schema);

/** An amount as a form shows it, with all the decimals of its currency: `29.50`. */
export const amountText = (amount: number, currency: string, region: Region): string =>
  marked(amount.toFixed(minorUnitDigits(currency)), region);

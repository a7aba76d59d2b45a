import { writePhone } from '@frontdesk/phone';
import type { Region } from '../region/region.rules.ts';
import { type Html, html } from './html.ts';
import { visibleText } from './visible-text.ts';

const FEWEST_DIGITS = 3;

/**
 * A number to call with one press, as the business's country writes it. Short ones of a network are none to the
 * library, and yet are dialled. An extension is not dialled, and what is no number is text.
 */
export function phoneLink(region: Pick<Region, 'country'>, number: string): Html {
  const { shown, dialled } = writtenNumber(region, number);
  return dialled === null ? html`${shown}` : html`<a class="phone" href="tel:${dialled}">${shown}</a>`;
}

/** Written numbers that are kept: a day that is drawn anew has much the same ones, and to write one takes a tenth of a millisecond. */
const MOST_KEPT = 20_000;
const kept = new Map<string, ReturnType<typeof write>>();

/** The number as the business's country writes it, and what a telephone dials for it: null where that is nothing. */
export function writtenNumber({ country }: Pick<Region, 'country'>, number: string) {
  if (kept.size >= MOST_KEPT) kept.clear();
  return kept.getOrInsertComputed(`${country} ${number}`, () => write(number, country));
}

function write(number: string, country: Region['country']) {
  const written = writePhone(number, country);
  const dialled = written?.e164 ?? digitsBeforeWords(number);
  return {
    shown: visibleText(written?.text ?? number),
    dialled: dialled.length < FEWEST_DIGITS ? null : dialled,
  };
}

const digitsBeforeWords = (text: string) =>
  (/^[^\p{L}#;,]*/u.exec(text)?.[0] ?? '').replaceAll(/[^\d+]/g, '');

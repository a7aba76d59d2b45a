import { writePhone } from '@frontdesk/phone';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from './html.ts';
import { visibleText } from './visible-text.ts';

const FEWEST_DIGITS = 3;

/**
 * A number to call with one press, as the business's country writes it. Short ones of a network are none to the library, and yet are
 * dialled. An extension is not dialled, and what is no number is text.
 */
export function phoneLink({ country }: Pick<Region, 'country'>, number: string): Html {
  const written = writePhone(number, country);
  const shown = visibleText(written?.text ?? number);
  const dialled = written?.e164 ?? digitsBeforeWords(number);
  return dialled.length < FEWEST_DIGITS
    ? html`${shown}`
    : html`<a class="phone" href="tel:${dialled}">${shown}</a>`;
}

const digitsBeforeWords = (text: string) =>
  (/^[^\p{L}#;,]*/u.exec(text)?.[0] ?? '').replaceAll(/[^\d+]/g, '');

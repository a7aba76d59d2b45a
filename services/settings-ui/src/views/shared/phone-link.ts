import { type Html, html } from './html.ts';
import { visibleText } from './visible-text.ts';

const FEWEST_DIGITS = 3;

/** A number to call with one press; an extension is not dialled, and what is no number is text. */
export function phoneLink(number: string): Html {
  const dialled = (/^[^\p{L}#;,]*/u.exec(number)?.[0] ?? '').replaceAll(/[^\d+]/g, '');
  return dialled.length < FEWEST_DIGITS
    ? html`${visibleText(number)}`
    : html`<a class="phone" href="tel:${dialled}">${visibleText(number)}</a>`;
}

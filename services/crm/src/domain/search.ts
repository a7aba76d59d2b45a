import { digitsOf } from '@frontdesk/phone';

/** Keeps the searched fields apart: removed from what is folded, so no term can match across two of them. */
const SEPARATOR = '\u001f';

/** Case is folded here, not in the database, whose lower() depends on its locale. Accents stay; a final sigma is a sigma. */
const fold = (text: string) =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll(SEPARATOR, '');

/** The text that a customer is found by. */
export function searchTextOf(customer: { name: string; email: string | null; phone_digits: string }): string {
  return [customer.name, customer.email ?? '', customer.phone_digits].map(fold).join(SEPARATOR);
}

/** Digits with the signs that people put between them. */
const PHONE_TERM = /^[\d\s+()./-]*\d[\d\s+()./-]*$/;

/**
 * LIKE patterns for a search term; a customer is found when any of them matches. A term that is written like a phone
 * number is looked for by its bare digits too. Empty: the term is blank and excludes nobody.
 */
export function searchPatterns(term: string): string[] {
  const text = fold(term).trim();
  if (text === '') return [];
  const texts = PHONE_TERM.test(text) ? new Set([text, digitsOf(text)]) : [text];
  return [...texts].map((wanted) => `%${escapeLike(wanted)}%`);
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

import { digitsOf } from '@frontdesk/phone';

/** Keeps the searched fields apart: removed from what is folded, so no term can match across two of them. */
const SEPARATOR = '\u001f';
/** This and the mark by which the database keeps grams apart. */
const SEPARATORS = new RegExp(`[\u001e${SEPARATOR}]`, 'g');

/** Letters that Unicode takes for letters of their own, and people for variants of others. */
const LETTERS: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' },
  // As a letter of its own at the end of a word; to whom types a part of the word it is the same.
  ς: 'σ',
};
const ANY_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Accents over and under letters, not the vowel signs of other scripts. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Case and accents are folded here, not in the database, whose lower() depends on its locale. */
const fold = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(ANY_LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(SEPARATORS, '');

/** The text that a customer is found by. */
export function searchTextOf(customer: { name: string; email: string | null; phone_digits: string }): string {
  return [customer.name, customer.email ?? '', customer.phone_digits].map(fold).join(SEPARATOR);
}

/** Digits with the signs that people put between them. */
const PHONE_TERM = /^[\d\s+()./-]*\d[\d\s+()./-]*$/;

/** Whether a search term is written like a phone number, or a part of one. */
export const isPhoneTerm = (term: string) => PHONE_TERM.test(term);

/**
 * What a search term is looked for as; a customer is found when any of it is part of their text. A term that is written
 * like a phone number is looked for by its bare digits too. Empty: the term is blank and excludes nobody.
 */
export function searchedTexts(term: string): string[] {
  const text = fold(term).trim();
  if (text === '') return [];
  return isPhoneTerm(text) ? [...new Set([text, digitsOf(text)])] : [text];
}

/** The LIKE pattern of what contains the text. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Whether the trigram index can look for the text: it knows letters and digits, three in a row. */
export const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

/** The pairs of characters that a text which contains this one has too; of a single character, itself. */
export function gramsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

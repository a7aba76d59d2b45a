import { foldText } from '@frontdesk/contracts';
import { digitsOf } from '@frontdesk/phone';

/** Keeps the searched fields apart: removed from what is folded, so no term can match across two of them. */
export const SEPARATOR = '\u001f';
/** This and the mark by which the database keeps grams apart. */
const SEPARATORS = new RegExp(`[\u001e${SEPARATOR}]`, 'g');

const fold = (text: string) => foldText(text).replace(SEPARATORS, '');

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

/** A customer's name within the text that they are found by, as SQL: what a list by name is sorted by, and indexed. */
export const FOLDED_NAME = `ltrim(split_part(search_text, E'\\x1f', 1)) collate "C"`;

/** Words of five letters share too few trigrams with what they are mistyped as, if it is the second letter. */
const FEW_LETTERS = 5;

/**
 * LIKE patterns of a word as it may have been meant, where trigrams do not tell: with two letters swapped, or another second letter. Each
 * has three letters in a row.
 */
export function meantPatterns(word: string): string[] {
  const letters = Array.from(word);
  const swapped = letters.slice(1).map((letter, index) => {
    const others = [...letters];
    others.splice(index, 2, letter, letters[index] as string);
    return containing(others.join(''));
  });
  const [first, , ...rest] = letters;
  return letters.length === FEW_LETTERS ? [...swapped, `%${first}_${rest.join('')}%`] : swapped;
}

/** How much of a word's trigrams a text has to have: less would be no more than a beginning or an end. */
export const leastSimilarity = (words: readonly string[]): number =>
  words.length === 1 && Array.from(words[0] ?? '').length <= FEW_LETTERS ? 0.5 : 0.4;

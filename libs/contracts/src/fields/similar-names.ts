import { editsBetween } from './near-name.ts';

/** Letters that Unicode takes for letters of their own, and people for variants of others. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  // The form of σ at the end of a word; it equals σ in a part of a word.
  ς: 'σ',
};
const ANY_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Accents over and under letters, not the vowel signs of other scripts. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Without case and accents, as names are searched and sorted: not by the database, whose lower() depends on its locale. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(ANY_LETTER, (letter) => LETTERS[letter] ?? letter);

/** Shorter words have too few letters to tell a typing error from another name. */
const SHORTEST_MISTYPED = 4;
/** From this length on, a word may have two errors. */
const LONG_WORD = 8;
/** Longer texts are no names that somebody types. */
const LONGEST_TYPED = 80;
const MOST_WORDS = 6;
/** Of a name with very many words, the first ones are compared. */
const MOST_COMPARED = 20;
/** What is typed is taken for the beginning of a longer word only where it says enough. */
const SHORTEST_BEGINNING = 5;

const wordsOf = (folded: string) => folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const lengthOf = (text: string) => Array.from(text).length;

/** Short words and numbers are looked for as they are: a phone number or a year is no mistyped name. */
export const mayBeMistyped = (word: string) => lengthOf(word) >= SHORTEST_MISTYPED && !/\p{N}/u.test(word);

/** The words of what somebody typed, where it may be a name with typing errors. Otherwise none. */
export function typedWords(text: string): string[] {
  if (text.length > LONGEST_TYPED || text.includes('@')) return [];
  const words = wordsOf(foldText(text));
  return words.length <= MOST_WORDS && words.some(mayBeMistyped) ? words : [];
}

/**
 * How many typing errors lie between what was typed (`typedWords`) and a name: letters to add, leave out, replace or swap between each
 * word and its nearest in the name, or between all of them and what is one word there. Null where these are more than one in a word, or
 * two in one of eight letters and more.
 */
export function typingErrors(typed: readonly string[], name: string): number | null {
  if (typed.length === 0) return null;
  const words = wordsOf(foldText(name)).slice(0, MOST_COMPARED);
  // "Mary Ann" is typed as "Maryann", too.
  const known = [
    ...words.map((text, index) => ({ text, places: [index] })),
    ...words.slice(1).map((text, index) => ({ text: `${words[index]}${text}`, places: [index, index + 1] })),
  ];
  const asOne = typed.length > 1 ? errorsIn([typed.join('')], known) : null;
  const byWord = errorsIn(
    typed.toSorted((one, other) => other.length - one.length),
    known,
  );
  return asOne === null || (byWord !== null && byWord < asOne) ? byWord : asOne;
}

interface KnownWord {
  text: string;
  /** Which words of the name it is. */
  places: readonly number[];
}

/** Each word of the name is compared with one typed word at most: "maria martin" is not "Maria". */
function errorsIn(typed: readonly string[], known: readonly KnownWord[]): number | null {
  const taken = new Set<number>();
  let errors = 0;
  for (const word of typed) {
    const most = mostErrors(word);
    let [nearest, least]: [KnownWord | null, number] = [null, Number.POSITIVE_INFINITY];
    for (const other of known) {
      if (other.places.some((place) => taken.has(place))) continue;
      const between = errorsBetween(word, other.text, most);
      if (between < least) [nearest, least] = [other, between];
    }
    if (nearest === null || least > most) return null;
    for (const place of nearest.places) taken.add(place);
    errors += least;
  }
  return errors;
}

const mostErrors = (word: string) => (mayBeMistyped(word) ? (lengthOf(word) < LONG_WORD ? 1 : 2) : 0);

function errorsBetween(typed: string, word: string, most: number): number {
  if (word.startsWith(typed)) return 0;
  if (typed.length < SHORTEST_BEGINNING) return editsBetween(typed, word, most);
  // Somebody is still typing: a letter more or less of the beginning may belong to the error.
  const beginnings = [-1, 0, 1].map((more) => word.slice(0, typed.length + more));
  return Math.min(...[word, ...beginnings].map((part) => editsBetween(typed, part, most)));
}

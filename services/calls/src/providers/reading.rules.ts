import { isAscii, isUtf8 } from 'node:buffer';
import {
  contentCodingOf,
  jsonExcess,
  MAX_CALL_ID_CHARACTERS,
  MAX_CALL_INSTANT_CHARACTERS,
  MAX_CALL_NUMBER_CHARACTERS,
  MAX_CALL_SECONDS,
  MAX_CALL_URL_CHARACTERS,
  MAX_INGEST_VALUES,
  mayBeOfCall,
  otherCharsetOf,
  unescapedForm,
} from '@frontdesk/contracts';
import { type CallFacts, type RawMessage, UnreadableMessage } from './call-provider.rules.ts';

/** What readers of single values have in common: undefined where a value is missing or makes no sense. */

/**
 * The text of a message, which is UTF-8: from bytes of anything else, other text would be kept than was sent. A form's
 * percent-escapes stand for bytes.
 * @throws UnreadableMessage
 */
export function messageText({ body, contentType, contentEncoding }: RawMessage, form?: 'form'): string {
  const coding = contentCodingOf(contentEncoding);
  if (coding !== null)
    throw new UnreadableMessage(
      `The message has the Content-Encoding ${named(coding)}: it is read only without one.`,
    );
  const bytes = form === undefined ? body : Buffer.from(unescapedForm(body.toString('latin1')), 'latin1');
  const charset = otherCharsetOf(contentType);
  // ASCII is the same in any charset that can be sent without being taken for something else.
  if (charset !== null && !isAscii(bytes))
    throw new UnreadableMessage(`The message has the charset ${named(charset)}: it is read only in UTF-8.`);
  if (!isUtf8(bytes)) throw new UnreadableMessage('The body is not valid UTF-8.');
  return new TextDecoder().decode(body);
}

/** A word of a header that strangers wrote, where it is one. */
const named = (word: string) => readWord(word) ?? 'that it names';

/** @throws UnreadableMessage when the body is no JSON object */
export function readJson(message: RawMessage): object {
  const text = messageText(message);
  if (jsonExcess(text, { mostValues: MAX_INGEST_VALUES, mostDepth: Number.POSITIVE_INFINITY }) !== null)
    throw new UnreadableMessage(
      `The message holds more than ${MAX_INGEST_VALUES.toLocaleString('en-US')} values.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableMessage('The body is not valid JSON.');
  }
  if (!isRecord(value)) throw new UnreadableMessage('The body is not a JSON object.');
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What lies at a path of names within JSON. */
export function at(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const name of path) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

export const listAt = (value: unknown, ...path: string[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

/**
 * Text that PostgreSQL can hold, without NUL. What goes beyond `max` is cut.
 * @throws UnreadableMessage for half of a surrogate pair: other text would be kept than was sent
 */
export function readText(value: unknown, max = Number.POSITIVE_INFINITY): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.isWellFormed())
    throw new UnreadableMessage(
      'A text has half of a surrogate pair, such as "\\ud800", which stands for no character.',
    );
  const text = cutText(value.replaceAll('\0', ''), max).trim();
  return text === '' ? undefined : text;
}

/** A name that a provider gives to a thing: short enough to be repeated, and nothing personal. */
export const readWord = (value: unknown) =>
  typeof value === 'string' && /^[\w.-]{1,50}$/.test(value) ? value : undefined;

/** The beginning of a text, never with half of a surrogate pair at its end. */
export function cutText(text: string, length: number): string {
  const isSplit = length < text.length && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isSplit ? length - 1 : length);
}

/** @throws UnreadableMessage */
export function readCallId(value: unknown, name: string): string {
  const id = readId(value);
  if (!id)
    throw new UnreadableMessage(`The message does not identify its call: ${name} is missing or unreadable.`);
  return id;
}

/** An id that would have to be mended is no id. */
export function readId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return undefined;
  const id = value.trim();
  return id !== '' && id.length <= MAX_CALL_ID_CHARACTERS ? id : undefined;
}

/** A party's number or address, as given. */
export function readNumber(value: unknown): string | undefined {
  const number = readText(value);
  return number && number.length <= MAX_CALL_NUMBER_CHARACTERS ? number : undefined;
}

const MAIL_DATE = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:[+-]\d{4}|GMT|UTC)$/;

/** RFC 3339, the form of mail headers (RFC 2822), or milliseconds since 1970. */
export function readInstant(value: unknown): Date | undefined {
  const milliseconds = typeof value === 'string' ? millisecondsOf(value) : value;
  if (typeof milliseconds !== 'number') return undefined;
  return mayBeOfCall(milliseconds) ? new Date(milliseconds) : undefined;
}

function millisecondsOf(text: string): number | undefined {
  if (text.length > MAX_CALL_INSTANT_CHARACTERS) return undefined;
  if (MAIL_DATE.test(text)) return Date.parse(text);
  try {
    // Knows, as Date doesn't, that there is no 30 February.
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** Whole seconds, rounded down: 14.9 s are below 15. Takes digits as well. */
export function readDuration(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= MAX_CALL_SECONDS)) return undefined;
  return Math.floor(seconds);
}

export function readUrl(value: unknown): string | undefined {
  const url = readText(value);
  if (!url || url.length > MAX_CALL_URL_CHARACTERS || !URL.canParse(url)) return undefined;
  return /^https?:/i.test(url) ? url : undefined;
}

/** One of `values`, in whatever case it is written. */
export function readOneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const wanted = value.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return values.find((candidate) => candidate === wanted);
}

/** What a table says about a provider's word, and nothing about `constructor`. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** From 0 to 100. */
export function readScore(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
}

/** The facts that are there. */
export function known(facts: { [Name in keyof CallFacts]: CallFacts[Name] | undefined }): CallFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
